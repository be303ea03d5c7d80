"""A conformance suite for your own rules and your own policies.

    from thirtyone_env import Rules
    from thirtyone_env.testing import check_policy, check_rules

    check_rules(Rules.preset("pagat", knock_min=17), players=3)
    check_policy(my_policy, rules="pagat", players=3)

Each plays random rounds and raises an AssertionError that says what is wrong, where, and how to see it again. The
library's own tests use the same functions.
"""

from __future__ import annotations

from thirtyone_env.testing.policies import PolicyReport, check_policy
from thirtyone_env.testing.rules import RulesReport, check_rules

__all__ = ["PolicyReport", "RulesReport", "check_policy", "check_rules"]
