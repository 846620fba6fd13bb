/* No host could load this: mo_add_plugin() must not let it through. */
int a_function_of_its_own(void);
int a_function_of_its_own(void) { return 1; }
