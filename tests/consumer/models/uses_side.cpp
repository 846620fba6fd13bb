// Makes the plugin need its library.
int side_number();
extern const int number_of_side;
const int number_of_side = side_number();
