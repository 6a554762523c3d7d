"""`python -m tkg` is the command line."""

import sys

from tkg.cli import main

sys.exit(main())
