"""Looks up known vulnerabilities of the locked packages with pip-audit.

    python .ci/audit.py [--strict]

The advisories come over the network. Where there is none, or where it is slow or knows none of
the packages, the check is skipped, and says so. With --strict, found vulnerabilities are an error;
without, they are shown only: an advisory of today must not stop a change that it has nothing to do with.
"""

from __future__ import annotations

import json
import subprocess
import sys

LOCKS = ("requirements.lock", "requirements-lancedb.lock", "requirements-ocr.lock")
LIMIT_S = 90


def main() -> int:
    found = [problem for lock in LOCKS for problem in audit(lock)]
    print(*found, sep="\n")
    return int(bool(found) and "--strict" in sys.argv)


def audit(lock: str) -> list[str]:
    command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--disable-pip"]
    command += [
        "--require-hashes",
        "--progress-spinner",
        "off",
        "--timeout",
        "10",
        "--format",
        "json",
    ]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT_S)
        packages = json.loads(done.stdout)["dependencies"]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        print(f"SKIPPED: {lock} was not audited ({type(error).__name__}: no network?)")
        return []
    asked = [package for package in packages if "skip_reason" not in package]
    if not asked:
        print(
            f"SKIPPED: {lock} was not audited (no advisories for any of its {len(packages)} packages)"
        )
        return []
    print(f"{lock}: {len(asked)} of {len(packages)} packages audited")
    return [
        f"VULNERABLE: {package['name']} {package['version']}: {fault['id']}, fixed in {fault['fix_versions']}"
        for package in asked
        for fault in package["vulns"]
    ]


if __name__ == "__main__":
    sys.exit(main())
