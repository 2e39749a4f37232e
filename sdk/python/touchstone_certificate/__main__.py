"""`python -m touchstone_certificate`."""

import sys

from .command import main

sys.exit(main())
