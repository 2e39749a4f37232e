#!/usr/bin/env python3
"""Verifies a product certificate with the package of sdk/python, which must be installed, or in PYTHONPATH; --help tells how."""
from touchstone_certificate.command import main

raise SystemExit(main())
