"""`python -m classifier.compose FOLDER` writes the JSONL parts of FOLDER anew."""

import sys
from pathlib import Path

from classifier.compose import write

sys.stdout.write(f"{write(Path(sys.argv[1]))} examples\n")
