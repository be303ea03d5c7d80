"""The errors that the library raises on purpose.

Both are `ValueError`: a program may catch them as such. The command line prints their text as one line and ends with
exit code 2; any other exception is a fault of the library and shows its traceback.
"""

from __future__ import annotations


class UserError(ValueError):
    """Something given to the library is wrong: an option, a file, a key, a name.

    The text names the value, what is allowed and where it stood.
    """


class IllegalAction(UserError):
    """An action that the rules do not allow now.

    The text names the action, the legal ones and the rule. The state is as before.
    """
