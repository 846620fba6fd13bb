// A library that a plugin needs.
int side_number() { return 1; }
