/* Boost takes it from the host that there is __float128; clang refuses the type in device code. */
#ifdef __CUDA_ARCH__
#undef BOOST_HAS_FLOAT128
#endif
#include_next <boost/config/detail/suffix.hpp>
