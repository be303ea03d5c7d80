"""Checks what a wheel would put into site-packages: check_wheel.py WHEEL"""

from __future__ import annotations

import sys
import zipfile

PACKAGES = {"thirtyone_env", "thirtyone_agents", "thirtyone_train", "thirtyone_eval"}


def problems(names: list[str]) -> list[str]:
    """What is wrong with the files of a wheel; each in one line."""
    tops = {name.split("/")[0] for name in names}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    wrong = []
    if packages != PACKAGES:
        wrong.append(f"top-level names are {sorted(packages)}, not {sorted(PACKAGES)}")
    wrong += [
        f"{package}/py.typed is missing" for package in sorted(PACKAGES) if f"{package}/py.typed" not in names
    ]
    if not any(name.startswith("thirtyone_env/configs/rules/") for name in names):
        wrong.append("thirtyone_env/configs/rules/ is missing")
    if not any(name.endswith("licenses/LICENSE") for name in names):
        wrong.append("the licence is missing")
    wrong += [f"{name} does not belong in a wheel" for name in names if "__pycache__" in name]
    return wrong


def main(wheel: str) -> None:
    found = problems(zipfile.ZipFile(wheel).namelist())
    for line in found:
        print(f"{wheel}: {line}", file=sys.stderr)
    if found:
        raise SystemExit(1)
    print(f"wheel smoke: top-level names are {', '.join(sorted(PACKAGES))}")


if __name__ == "__main__":
    main(sys.argv[1])
