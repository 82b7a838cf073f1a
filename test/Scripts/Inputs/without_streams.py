#!/usr/bin/env python3
"""Takes the streamed constants out of a certificate, and signs it anew: without_streams.py CERTIFICATE RESULT"""

import hashlib
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
del data["digest"], data["solution"]["streamed"]
text = json.dumps(data)[:-1] + ",\n"
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(f'{text}"digest": "{hashlib.sha256(text.encode()).hexdigest()}"}}\n')
