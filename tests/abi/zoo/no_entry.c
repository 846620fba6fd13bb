/* A name that only plugins have, and no entry. */
int zoo_answer(void);
int zoo_answer(void) { return 42; }
