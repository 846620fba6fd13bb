"""Names the operators of plugins/paddle that no row of tests/plugins/paddle has: see paddle_numbers.sh."""
import glob
import os
import re
import sys

# Operators whose numbers Paddle's releases for a CPU cannot make, and why.
WITHOUT = {
    "assign_out_": "exporters replace it",
    "c_identity": "has a kernel for several devices only",
    "depend": "gives the variable that it takes",
    "fake_channel_wise_quantize_abs_max": "looks at values before there are any while a program is made; with its scale given it is quantize_linear",
    "pad2d": "has no kernel in Paddle 2.6, which makes pad3d of it",
    "rms_norm": "has a kernel for GPUs only; the row of fused_rms_norm_quant has its numbers",
    "share_buffer": "belongs to training",
    "sync_batch_norm": "has a kernel for GPUs only; it is batch_norm where nothing is trained",
}
REGISTERED = re.compile(r'\b(?:convert|extract)<[^;]*?>\(\s*r,\s*((?:"[^"]*"\s*)+)')

source = sys.argv[1]
taken = {}
for path in sorted(glob.glob(os.path.join(source, "plugins", "paddle", "*", "*.cpp"))):
    with open(path) as file:
        for found in REGISTERED.finditer(file.read()):
            for name in "".join(re.findall(r'"([^"]*)"', found.group(1))).split():
                taken[name] = os.path.relpath(path, source)
rows = set()
for name in ("pir_rows.txt", "program_desc_rows.txt"):
    with open(os.path.join(source, "tests", "plugins", "paddle", name)) as file:
        for line in file:
            if line.startswith("op "):
                operator = re.sub(r"^\d+\.", "", line.split()[1])
                rows |= {operator, operator.rstrip("_")}
wrong = ["%s: '%s' is in no row: add a case to tests/conformance/paddle_rows" % (taken[n], n) for n in sorted(taken) if n not in rows and n not in WITHOUT]
wrong += ["paddle_numbers.py: '%s' is %s: take it out of the list" % (n, "in a row" if n in rows else "not registered") for n in sorted(WITHOUT) if n in rows or n not in taken]
if len(taken) < 300:
    wrong.append("only %d operators are found in plugins/paddle: look at the expression here" % len(taken))
print("\n".join(wrong) if wrong else "%d operators, %d of them without numbers of Paddle" % (len(taken), len(WITHOUT)))
sys.exit(1 if wrong else 0)
