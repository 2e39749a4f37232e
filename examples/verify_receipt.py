#!/usr/bin/env python3
"""Verifies a receipt with the package of sdk/python, which must be installed, or in PYTHONPATH; --help tells how."""
from touchstone_certificate.receipt_command import main

raise SystemExit(main())
