"""Tries the rules for plugins out on the extension, converts the model beside this file with it, computes it, and compares.

    python3 tests/test_@name@.py        MO_HOST names the program where it is not in PATH
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
EXTENSION = os.path.dirname(HERE)
CASE = os.path.join(HERE, "cases", "@name@")
PROGRAM = os.environ.get("MO_HOST") or shutil.which("mo-host")
HOST = [PROGRAM] if PROGRAM else [sys.executable, "-m", "mo_host"]


def host(*words):
    done = subprocess.run(HOST + list(words), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(" ".join(HOST + list(words)) + "\n" + done.stdout + done.stderr)


class Test@Name@(unittest.TestCase):
    def test_rules(self):
        host("plugin", "check", EXTENSION)

    def test_values(self):
        model, = glob.glob(os.path.join(CASE, "model.*"))
        with tempfile.TemporaryDirectory() as out:
            host("--input_model", model, "--model_name", "m", "--output_dir", out, "--extensions", EXTENSION)
            host("run", os.path.join(out, "m.xml"), "--input", "x=" + os.path.join(CASE, "x.npy"), "--output_dir", out,
                 "--extensions", EXTENSION)
            np.testing.assert_allclose(np.load(os.path.join(out, "y.npy")), np.load(os.path.join(CASE, "y.npy")), rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
