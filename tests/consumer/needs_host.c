/* Counts on finding a function in the process it is loaded into: mo_add_plugin() must not let it through. */
int a_function_of_the_host(void);
int calls_the_host(void);
int calls_the_host(void) { return a_function_of_the_host(); }
