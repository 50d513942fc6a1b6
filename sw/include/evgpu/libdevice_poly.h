/* Polynomials; included by libdevice.h. Coefficients by interpolation in Chebyshev's points, with
 * 60 digits, rounded at the end. */
#ifndef EVGPU_SW_LIBDEVICE_POLY_H
#define EVGPU_SW_LIBDEVICE_POLY_H

/* (sin r - r) / r^3 by r^2, |r| <= pi/4 */
EVGPU_LD double evgpu_ld_sin(double x)
{
    double p = -0x1.ab159dc3b3c21p-41;
    p = evgpu_ld_fma(p, x, 0x1.61217b49ad79ap-33);
    p = evgpu_ld_fma(p, x, -0x1.ae64540e0633bp-26);
    p = evgpu_ld_fma(p, x, 0x1.71de3a545dd92p-19);
    p = evgpu_ld_fma(p, x, -0x1.a01a01a019921p-13);
    p = evgpu_ld_fma(p, x, 0x1.1111111111110p-7);
    p = evgpu_ld_fma(p, x, -0x1.5555555555555p-3);
    return p;
}

/* (cos r - 1 + r^2 / 2) / r^4 by r^2 */
EVGPU_LD double evgpu_ld_cos(double x)
{
    double p = 0x1.ab76634757375p-45;
    p = evgpu_ld_fma(p, x, -0x1.9394b6b53b9c8p-37);
    p = evgpu_ld_fma(p, x, 0x1.1eed8de97b2c8p-29);
    p = evgpu_ld_fma(p, x, -0x1.27e4fb77119ecp-22);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a019d00p-16);
    p = evgpu_ld_fma(p, x, -0x1.6c16c16c16c16p-10);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-5);
    return p;
}

/* (e^r - 1 - r) / r^2, |r| <= ln 2 / 2 */
EVGPU_LD double evgpu_ld_exp(double x)
{
    double p = 0x1.61bfbf339abc9p-33;
    p = evgpu_ld_fma(p, x, 0x1.1f7f3b37e9a58p-29);
    p = evgpu_ld_fma(p, x, 0x1.ae642c777eecbp-26);
    p = evgpu_ld_fma(p, x, 0x1.27e4d40eb84dfp-22);
    p = evgpu_ld_fma(p, x, 0x1.71de3a5aa9dc9p-19);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a9ed901p-16);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a0196a7p-13);
    p = evgpu_ld_fma(p, x, 0x1.6c16c16c15a5fp-10);
    p = evgpu_ld_fma(p, x, 0x1.1111111111111p-7);
    p = evgpu_ld_fma(p, x, 0x1.5555555555557p-5);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-3);
    p = evgpu_ld_fma(p, x, 0x1.0000000000000p-1);
    return p;
}

/* (atanh(s) / s - 1 - s^2 / 3) / s^4 by s^2, s = (m - 1) / (m + 1) */
EVGPU_LD double evgpu_ld_log(double x)
{
    double p = 0x1.e032e4d8436a1p-5;
    p = evgpu_ld_fma(p, x, 0x1.df7c5bc7c7563p-5);
    p = evgpu_ld_fma(p, x, 0x1.1118c9ee5b8a4p-4);
    p = evgpu_ld_fma(p, x, 0x1.3b1395c881220p-4);
    p = evgpu_ld_fma(p, x, 0x1.745d177aad02ap-4);
    p = evgpu_ld_fma(p, x, 0x1.c71c71c6ea871p-4);
    p = evgpu_ld_fma(p, x, 0x1.2492492492522p-3);
    p = evgpu_ld_fma(p, x, 0x1.999999999999ap-3);
    return p;
}

/* (atan t - t) / t^3 by t^2, |t| <= 1/2 */
EVGPU_LD double evgpu_ld_atan(double x)
{
    double p = 0x1.f5c3523066ab0p-8;
    p = evgpu_ld_fma(p, x, -0x1.633de283fb773p-6);
    p = evgpu_ld_fma(p, x, 0x1.166a8732cc738p-5);
    p = evgpu_ld_fma(p, x, -0x1.56b2f82e012ddp-5);
    p = evgpu_ld_fma(p, x, 0x1.837a52499d8b8p-5);
    p = evgpu_ld_fma(p, x, -0x1.aecb542412942p-5);
    p = evgpu_ld_fma(p, x, 0x1.e1d8a9bad8600p-5);
    p = evgpu_ld_fma(p, x, -0x1.1110befb7253cp-4);
    p = evgpu_ld_fma(p, x, 0x1.3b13ad5571f07p-4);
    p = evgpu_ld_fma(p, x, -0x1.745d172701e87p-4);
    p = evgpu_ld_fma(p, x, 0x1.c71c71c68a0c5p-4);
    p = evgpu_ld_fma(p, x, -0x1.2492492491932p-3);
    p = evgpu_ld_fma(p, x, 0x1.999999999998ep-3);
    p = evgpu_ld_fma(p, x, -0x1.5555555555555p-2);
    return p;
}

/* (asin t - t) / t^3 by t^2, |t| <= 1/2 */
EVGPU_LD double evgpu_ld_asin(double x)
{
    double p = 0x1.e529c6fce9bb4p-6;
    p = evgpu_ld_fma(p, x, -0x1.3b416bb7d9257p-6);
    p = evgpu_ld_fma(p, x, 0x1.406192d124629p-6);
    p = evgpu_ld_fma(p, x, 0x1.8f193743418ffp-9);
    p = evgpu_ld_fma(p, x, 0x1.31622469ce5adp-7);
    p = evgpu_ld_fma(p, x, 0x1.3b49de7121487p-7);
    p = evgpu_ld_fma(p, x, 0x1.7b027ee1dd585p-7);
    p = evgpu_ld_fma(p, x, 0x1.c990ad3d8fdcap-7);
    p = evgpu_ld_fma(p, x, 0x1.1c4efce23019fp-6);
    p = evgpu_ld_fma(p, x, 0x1.6e8ba123e494cp-6);
    p = evgpu_ld_fma(p, x, 0x1.f1c71c7a52ba3p-6);
    p = evgpu_ld_fma(p, x, 0x1.6db6db6dac1e0p-5);
    p = evgpu_ld_fma(p, x, 0x1.3333333333388p-4);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-3);
    return p;
}

/* (sinh t - t) / t^3 by t^2, |t| <= 1 */
EVGPU_LD double evgpu_ld_sinh(double x)
{
    double p = 0x1.328de90012662p-57;
    p = evgpu_ld_fma(p, x, 0x1.952654734b725p-49);
    p = evgpu_ld_fma(p, x, 0x1.ae7f44a89136cp-41);
    p = evgpu_ld_fma(p, x, 0x1.61246136ddcb0p-33);
    p = evgpu_ld_fma(p, x, 0x1.ae64567f56d72p-26);
    p = evgpu_ld_fma(p, x, 0x1.71de3a556c724p-19);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a01a01ap-13);
    p = evgpu_ld_fma(p, x, 0x1.1111111111111p-7);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-3);
    return p;
}

/* (cosh t - 1 - t^2 / 2) / t^4 by t^2 */
EVGPU_LD double evgpu_ld_cosh(double x)
{
    double p = 0x1.ea028001d717fp-62;
    p = evgpu_ld_fma(p, x, 0x1.682310a99d900p-53);
    p = evgpu_ld_fma(p, x, 0x1.ae7f42f65e3cdp-45);
    p = evgpu_ld_fma(p, x, 0x1.93974a895ec8bp-37);
    p = evgpu_ld_fma(p, x, 0x1.1eed8eff8e754p-29);
    p = evgpu_ld_fma(p, x, 0x1.27e4fb7789f57p-22);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a01a01ap-16);
    p = evgpu_ld_fma(p, x, 0x1.6c16c16c16c17p-10);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-5);
    return p;
}

/* (tanh t - t) / t^3 by t^2, |t| <= 0.55 */
EVGPU_LD double evgpu_ld_tanh(double x)
{
    double p = 0x1.08378067f032ap-17;
    p = evgpu_ld_fma(p, x, -0x1.1adede7706052p-15);
    p = evgpu_ld_fma(p, x, 0x1.8c93b7d5aba25p-14);
    p = evgpu_ld_fma(p, x, -0x1.f41d11ba745a0p-13);
    p = evgpu_ld_fma(p, x, 0x1.3547bfaa42508p-11);
    p = evgpu_ld_fma(p, x, -0x1.7da25da5066b5p-10);
    p = evgpu_ld_fma(p, x, 0x1.d6d3c60009e9cp-9);
    p = evgpu_ld_fma(p, x, -0x1.226e3539b9272p-7);
    p = evgpu_ld_fma(p, x, 0x1.664f48822e9a5p-6);
    p = evgpu_ld_fma(p, x, -0x1.ba1ba1ba1a732p-5);
    p = evgpu_ld_fma(p, x, 0x1.1111111111109p-3);
    p = evgpu_ld_fma(p, x, -0x1.5555555555555p-2);
    return p;
}

/* (asinh t - t) / t^3 by t^2, |t| <= 1/2 */
EVGPU_LD double evgpu_ld_asinh(double x)
{
    double p = 0x1.3aea190ec9c4cp-10;
    p = evgpu_ld_fma(p, x, -0x1.c4d1e35fafe2fp-9);
    p = evgpu_ld_fma(p, x, 0x1.6b898216ec2dep-8);
    p = evgpu_ld_fma(p, x, -0x1.cf0b87411ad1cp-8);
    p = evgpu_ld_fma(p, x, 0x1.115bdce54bef0p-7);
    p = evgpu_ld_fma(p, x, -0x1.3fa631285b5d0p-7);
    p = evgpu_ld_fma(p, x, 0x1.7a81f729025f6p-7);
    p = evgpu_ld_fma(p, x, -0x1.c9993672d2f98p-7);
    p = evgpu_ld_fma(p, x, 0x1.1c4ec2917266dp-6);
    p = evgpu_ld_fma(p, x, -0x1.6e8ba2d619e4dp-6);
    p = evgpu_ld_fma(p, x, 0x1.f1c71c716e95ap-6);
    p = evgpu_ld_fma(p, x, -0x1.6db6db6db66d6p-5);
    p = evgpu_ld_fma(p, x, 0x1.3333333333330p-4);
    p = evgpu_ld_fma(p, x, -0x1.5555555555555p-3);
    return p;
}

/* (atanh t - t) / t^3 by t^2, |t| <= 1/2 */
EVGPU_LD double evgpu_ld_atanh(double x)
{
    double p = 0x1.cff32677aa2f2p-3;
    p = evgpu_ld_fma(p, x, -0x1.79de6d69a866cp-3);
    p = evgpu_ld_fma(p, x, 0x1.4f3162758726ep-3);
    p = evgpu_ld_fma(p, x, -0x1.7b097a148d046p-8);
    p = evgpu_ld_fma(p, x, 0x1.bff5d5842ce7fp-5);
    p = evgpu_ld_fma(p, x, 0x1.76524ce0b6671p-5);
    p = evgpu_ld_fma(p, x, 0x1.b116e91f2dcfep-5);
    p = evgpu_ld_fma(p, x, 0x1.e1b6c1f3ca95dp-5);
    p = evgpu_ld_fma(p, x, 0x1.1112632e765f2p-4);
    p = evgpu_ld_fma(p, x, 0x1.3b13a3184d90ap-4);
    p = evgpu_ld_fma(p, x, 0x1.745d17a833b94p-4);
    p = evgpu_ld_fma(p, x, 0x1.c71c71c58156bp-4);
    p = evgpu_ld_fma(p, x, 0x1.249249249409cp-3);
    p = evgpu_ld_fma(p, x, 0x1.9999999999982p-3);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-2);
    return p;
}

EVGPU_LD float evgpu_ld_sinf(float x)
{
    float p = -0x1.9ac63ep-13f;
    p = evgpu_ld_fma(p, x, 0x1.110c22p-7f);
    p = evgpu_ld_fma(p, x, -0x1.555552p-3f);
    return p;
}

EVGPU_LD float evgpu_ld_cosf(float x)
{
    float p = 0x1.9bd5d8p-16f;
    p = evgpu_ld_fma(p, x, -0x1.6c12cep-10f);
    p = evgpu_ld_fma(p, x, 0x1.555554p-5f);
    return p;
}

/* as for double */
EVGPU_LD float evgpu_ld_powexpf(float x)
{
    float p = 0x1.6d112cp-10f;
    p = evgpu_ld_fma(p, x, 0x1.120b9p-7f);
    p = evgpu_ld_fma(p, x, 0x1.55551ap-5f);
    p = evgpu_ld_fma(p, x, 0x1.5554dcp-3f);
    p = evgpu_ld_fma(p, x, 0x1p-1f);
    return p;
}

EVGPU_LD float evgpu_ld_powlogf(float x)
{
    float p = 0x1.d808a2p-4f;
    p = evgpu_ld_fma(p, x, 0x1.247a2cp-3f);
    p = evgpu_ld_fma(p, x, 0x1.9999a4p-3f);
    return p;
}

/* (ln(1 + f) - f + f^2 / 2) / f^3, |f| <= 1/3 */
EVGPU_LD float evgpu_ld_lnf(float x)
{
    float p = 0x1.d01a16p-4f;
    p = evgpu_ld_fma(p, x, -0x1.fcd036p-4f);
    p = evgpu_ld_fma(p, x, 0x1.bf1af2p-4f);
    p = evgpu_ld_fma(p, x, -0x1.f75896p-4f);
    p = evgpu_ld_fma(p, x, 0x1.24b28cp-3f);
    p = evgpu_ld_fma(p, x, -0x1.557832p-3f);
    p = evgpu_ld_fma(p, x, 0x1.999954p-3f);
    p = evgpu_ld_fma(p, x, -0x1.ffffb6p-3f);
    p = evgpu_ld_fma(p, x, 0x1.555556p-2f);
    return p;
}

/* (atan t - t) / t^3 by t^2, |t| <= 1 */
EVGPU_LD float evgpu_ld_atanf(float x)
{
    float p = 0x1.86406cp-10f;
    p = evgpu_ld_fma(p, x, -0x1.2ba6b6p-7f);
    p = evgpu_ld_fma(p, x, 0x1.aefb2cp-6f);
    p = evgpu_ld_fma(p, x, -0x1.9115a4p-5f);
    p = evgpu_ld_fma(p, x, 0x1.2006f8p-4f);
    p = evgpu_ld_fma(p, x, -0x1.6dd8fep-4f);
    p = evgpu_ld_fma(p, x, 0x1.c62cdap-4f);
    p = evgpu_ld_fma(p, x, -0x1.248952p-3f);
    p = evgpu_ld_fma(p, x, 0x1.999956p-3f);
    p = evgpu_ld_fma(p, x, -0x1.555556p-2f);
    return p;
}

EVGPU_LD float evgpu_ld_asinf(float x)
{
    float p = 0x1.13fed4p-5f;
    p = evgpu_ld_fma(p, x, 0x1.18f91ep-6f);
    p = evgpu_ld_fma(p, x, 0x1.fd8da2p-6f);
    p = evgpu_ld_fma(p, x, 0x1.6d5bbap-5f);
    p = evgpu_ld_fma(p, x, 0x1.33343p-4f);
    p = evgpu_ld_fma(p, x, 0x1.555554p-3f);
    return p;
}

EVGPU_LD float evgpu_ld_tanhf(float x)
{
    float p = -0x1.b13538p-8f;
    p = evgpu_ld_fma(p, x, 0x1.5d220ep-6f);
    p = evgpu_ld_fma(p, x, -0x1.b9a044p-5f);
    p = evgpu_ld_fma(p, x, 0x1.110feap-3f);
    p = evgpu_ld_fma(p, x, -0x1.555554p-2f);
    return p;
}

/* erf(x) / x by x^2, |x| <= 1/2 */
EVGPU_LD double evgpu_ld_erf_small(double x)
{
    double p = 0x1.c60ae6747e9bcp-27;
    p = evgpu_ld_fma(p, x, -0x1.5d7686c510032p-23);
    p = evgpu_ld_fma(p, x, 0x1.b9d19f664b4c1p-20);
    p = evgpu_ld_fma(p, x, -0x1.f4d1cff2cac2fp-17);
    p = evgpu_ld_fma(p, x, 0x1.f9a324a327ab3p-14);
    p = evgpu_ld_fma(p, x, -0x1.c02db3f9d6c71p-11);
    p = evgpu_ld_fma(p, x, 0x1.565bcd0e5f5a0p-8);
    p = evgpu_ld_fma(p, x, -0x1.b82ce312889f2p-6);
    p = evgpu_ld_fma(p, x, 0x1.ce2f21a042be0p-4);
    p = evgpu_ld_fma(p, x, -0x1.812746b0379e7p-2);
    p = evgpu_ld_fma(p, x, 0x1.20dd750429b6dp+0);
    return p;
}

/* (1 + 2 x) erfcx(x) by (x - 4) / (x + 4), x >= 0 */
EVGPU_LD double evgpu_ld_erfcx_fit(double x)
{
    double p = 0x1.9f3aa85b9d246p-36;
    p = evgpu_ld_fma(p, x, 0x1.6f4b3f5dd9cc8p-35);
    p = evgpu_ld_fma(p, x, -0x1.465522c2f03b9p-32);
    p = evgpu_ld_fma(p, x, -0x1.276d0f1fea0dfp-31);
    p = evgpu_ld_fma(p, x, 0x1.37c3212bc86dap-29);
    p = evgpu_ld_fma(p, x, 0x1.0f6f8f55aa052p-28);
    p = evgpu_ld_fma(p, x, -0x1.0b2375d4de36dp-26);
    p = evgpu_ld_fma(p, x, -0x1.77ab5ff9f7058p-26);
    p = evgpu_ld_fma(p, x, 0x1.dcfb7cd20620cp-24);
    p = evgpu_ld_fma(p, x, 0x1.52c97eb5ec703p-24);
    p = evgpu_ld_fma(p, x, -0x1.bb468cf9a1fb1p-21);
    p = evgpu_ld_fma(p, x, 0x1.38669fe113689p-22);
    p = evgpu_ld_fma(p, x, 0x1.7f2a52ef861d0p-18);
    p = evgpu_ld_fma(p, x, -0x1.7881b5848e055p-17);
    p = evgpu_ld_fma(p, x, -0x1.9959511d600acp-16);
    p = evgpu_ld_fma(p, x, 0x1.3be033ce38d87p-13);
    p = evgpu_ld_fma(p, x, -0x1.a1df256980a0bp-13);
    p = evgpu_ld_fma(p, x, -0x1.8d4a999e8c91dp-11);
    p = evgpu_ld_fma(p, x, 0x1.49c6728655504p-8);
    p = evgpu_ld_fma(p, x, -0x1.0962388538972p-6);
    p = evgpu_ld_fma(p, x, 0x1.3079edf682110p-5);
    p = evgpu_ld_fma(p, x, -0x1.0fb06dfe490c3p-4);
    p = evgpu_ld_fma(p, x, 0x1.7fee004e1257bp-4);
    p = evgpu_ld_fma(p, x, -0x1.9ddb23c3e90c3p-4);
    p = evgpu_ld_fma(p, x, 0x1.16ecefcfa5395p-4);
    p = evgpu_ld_fma(p, x, 0x1.f7f5df66fd7b4p-7);
    p = evgpu_ld_fma(p, x, -0x1.1df1ad154a28ep-3);
    p = evgpu_ld_fma(p, x, 0x1.3ba5916e9fd7fp+0);
    return p;
}

/* gamma(1.5 + t), |t| <= 1/2 */
EVGPU_LD double evgpu_ld_gamma_fit(double x)
{
    double p = 0x1.6c3032e6c6f69p-13;
    p = evgpu_ld_fma(p, x, -0x1.1123e91f561a5p-12);
    p = evgpu_ld_fma(p, x, 0x1.27e540fa0105ep-13);
    p = evgpu_ld_fma(p, x, -0x1.bbd59618e79efp-13);
    p = evgpu_ld_fma(p, x, 0x1.f076f989ef310p-12);
    p = evgpu_ld_fma(p, x, -0x1.74558a9281aefp-11);
    p = evgpu_ld_fma(p, x, 0x1.08a9773a0b118p-10);
    p = evgpu_ld_fma(p, x, -0x1.8cf2aff0a8622p-10);
    p = evgpu_ld_fma(p, x, 0x1.2b48ecb68cfadp-9);
    p = evgpu_ld_fma(p, x, -0x1.c0c9137946e79p-9);
    p = evgpu_ld_fma(p, x, 0x1.504d6f0e1fffep-8);
    p = evgpu_ld_fma(p, x, -0x1.f7fa735e7333ep-8);
    p = evgpu_ld_fma(p, x, 0x1.7991e760184a3p-7);
    p = evgpu_ld_fma(p, x, -0x1.1a2c30f8def74p-6);
    p = evgpu_ld_fma(p, x, 0x1.a752c67eb605dp-6);
    p = evgpu_ld_fma(p, x, -0x1.374fd5a85a843p-5);
    p = evgpu_ld_fma(p, x, 0x1.e022b743d0702p-5);
    p = evgpu_ld_fma(p, x, -0x1.3d88cfe56716ep-4);
    p = evgpu_ld_fma(p, x, 0x1.283bd374eadabp-3);
    p = evgpu_ld_fma(p, x, -0x1.b77ac1ca2dcabp-4);
    p = evgpu_ld_fma(p, x, 0x1.a8c4dba620d58p-2);
    p = evgpu_ld_fma(p, x, 0x1.08ea88ee5619cp-5);
    p = evgpu_ld_fma(p, x, 0x1.c5bf891b4ef6bp-1);
    return p;
}

/* x times the rest of Stirling's formula for lgamma(x) by 1 / x^2, x >= 8 */
EVGPU_LD double evgpu_ld_stirling(double x)
{
    double p = 0x1.c29fa984fd96ep-4;
    p = evgpu_ld_fma(p, x, -0x1.c6897db52d634p-6);
    p = evgpu_ld_fma(p, x, 0x1.a2565f7c03969p-8);
    p = evgpu_ld_fma(p, x, -0x1.f69af4cedb3c1p-10);
    p = evgpu_ld_fma(p, x, 0x1.b951b7066a805p-11);
    p = evgpu_ld_fma(p, x, -0x1.381381168d370p-11);
    p = evgpu_ld_fma(p, x, 0x1.a01a01a00d0c8p-11);
    p = evgpu_ld_fma(p, x, -0x1.6c16c16c16c0fp-9);
    p = evgpu_ld_fma(p, x, 0x1.5555555555555p-4);
    return p;
}

/* P of Hankel's expansion, order 0, by (8 / x)^2, x >= 8 */
EVGPU_LD double evgpu_ld_bessel_p0(double x)
{
    double p = 0x1.a7b9694769842p-35;
    p = evgpu_ld_fma(p, x, -0x1.e8d6cbc52ad39p-32);
    p = evgpu_ld_fma(p, x, 0x1.07216a04f362ep-29);
    p = evgpu_ld_fma(p, x, -0x1.6181c68861675p-28);
    p = evgpu_ld_fma(p, x, 0x1.50116185c1495p-27);
    p = evgpu_ld_fma(p, x, -0x1.eabbdb86cd942p-27);
    p = evgpu_ld_fma(p, x, 0x1.28862926375d5p-26);
    p = evgpu_ld_fma(p, x, -0x1.441dadb5e5f4ap-26);
    p = evgpu_ld_fma(p, x, 0x1.673bbd6426a99p-26);
    p = evgpu_ld_fma(p, x, -0x1.cb6a38829298cp-26);
    p = evgpu_ld_fma(p, x, 0x1.7b603141ae2b2p-25);
    p = evgpu_ld_fma(p, x, -0x1.b80bde64f3055p-24);
    p = evgpu_ld_fma(p, x, 0x1.84bcfe6c49cb2p-22);
    p = evgpu_ld_fma(p, x, -0x1.251ee7d4af985p-19);
    p = evgpu_ld_fma(p, x, 0x1.cb5fffffdc86ap-16);
    p = evgpu_ld_fma(p, x, -0x1.1ffffffffffe9p-10);
    p = evgpu_ld_fma(p, x, 0x1.0000000000000p+0);
    return p;
}

/* Q of Hankel's expansion, order 0, by (8 / x)^2, x >= 8; times x / 8 */
EVGPU_LD double evgpu_ld_bessel_q0(double x)
{
    double p = -0x1.04119eee234ffp-34;
    p = evgpu_ld_fma(p, x, 0x1.2a94f32d47eecp-31);
    p = evgpu_ld_fma(p, x, -0x1.3f5159342c02fp-29);
    p = evgpu_ld_fma(p, x, 0x1.a8fea01f7553ap-28);
    p = evgpu_ld_fma(p, x, -0x1.8e7fc20b07729p-27);
    p = evgpu_ld_fma(p, x, 0x1.1cdcbdf1f5705p-26);
    p = evgpu_ld_fma(p, x, -0x1.4ce5382c32440p-26);
    p = evgpu_ld_fma(p, x, 0x1.58d48d25efa4cp-26);
    p = evgpu_ld_fma(p, x, -0x1.5fc8fe16157d1p-26);
    p = evgpu_ld_fma(p, x, 0x1.9046218483014p-26);
    p = evgpu_ld_fma(p, x, -0x1.1cc4709bd4f80p-25);
    p = evgpu_ld_fma(p, x, 0x1.13a38426d05e7p-24);
    p = evgpu_ld_fma(p, x, -0x1.86165c435fd3bp-23);
    p = evgpu_ld_fma(p, x, 0x1.ba4c589d6e109p-21);
    p = evgpu_ld_fma(p, x, -0x1.d11dffff46bf7p-18);
    p = evgpu_ld_fma(p, x, 0x1.2bfffffffff0dp-13);
    p = evgpu_ld_fma(p, x, -0x1.0000000000000p-6);
    return p;
}

/* P of Hankel's expansion, order 1, by (8 / x)^2, x >= 8 */
EVGPU_LD double evgpu_ld_bessel_p1(double x)
{
    double p = -0x1.bd6fe4fb1ba12p-35;
    p = evgpu_ld_fma(p, x, 0x1.01023ee259db1p-31);
    p = evgpu_ld_fma(p, x, -0x1.14c790fef4a6dp-29);
    p = evgpu_ld_fma(p, x, 0x1.7407931eb0943p-28);
    p = evgpu_ld_fma(p, x, -0x1.61f143a4fbeb2p-27);
    p = evgpu_ld_fma(p, x, 0x1.02b93c76430eep-26);
    p = evgpu_ld_fma(p, x, -0x1.3946774f4cf51p-26);
    p = evgpu_ld_fma(p, x, 0x1.578bc46b3ec99p-26);
    p = evgpu_ld_fma(p, x, -0x1.7eceb21df8732p-26);
    p = evgpu_ld_fma(p, x, 0x1.ed930662e2148p-26);
    p = evgpu_ld_fma(p, x, -0x1.9c614fd1f71c0p-25);
    p = evgpu_ld_fma(p, x, 0x1.e65e495bcfba3p-24);
    p = evgpu_ld_fma(p, x, -0x1.b891ef8e4d43ep-22);
    p = evgpu_ld_fma(p, x, 0x1.5a6a57d29a174p-19);
    p = evgpu_ld_fma(p, x, -0x1.274fffffed688p-15);
    p = evgpu_ld_fma(p, x, 0x1.dffffffffffe8p-10);
    p = evgpu_ld_fma(p, x, 0x1.0000000000000p+0);
    return p;
}

/* Q of Hankel's expansion, order 1, by (8 / x)^2, x >= 8; times x / 8 */
EVGPU_LD double evgpu_ld_bessel_q1(double x)
{
    double p = 0x1.10fea9704b4bfp-34;
    p = evgpu_ld_fma(p, x, -0x1.397e0e05ef954p-31);
    p = evgpu_ld_fma(p, x, 0x1.4f5e007cb285cp-29);
    p = evgpu_ld_fma(p, x, -0x1.be8d2f950ce3dp-28);
    p = evgpu_ld_fma(p, x, 0x1.a2fc4209d4893p-27);
    p = evgpu_ld_fma(p, x, -0x1.2bcfb7bc76bf9p-26);
    p = evgpu_ld_fma(p, x, 0x1.5ef1f2b23986ap-26);
    p = evgpu_ld_fma(p, x, -0x1.6c87b17c45e6bp-26);
    p = evgpu_ld_fma(p, x, 0x1.7590f8bda8394p-26);
    p = evgpu_ld_fma(p, x, -0x1.ac06e293718a0p-26);
    p = evgpu_ld_fma(p, x, 0x1.3390e3c972daep-25);
    p = evgpu_ld_fma(p, x, -0x1.2de4375148acap-24);
    p = evgpu_ld_fma(p, x, 0x1.b3fae4d9517a4p-23);
    p = evgpu_ld_fma(p, x, -0x1.fe581792d83acp-21);
    p = evgpu_ld_fma(p, x, 0x1.1c3cffff9f0a1p-17);
    p = evgpu_ld_fma(p, x, -0x1.a3fffffffff02p-13);
    p = evgpu_ld_fma(p, x, 0x1.8000000000000p-5);
    return p;
}

/* sqrt(x) e^-x I0(x) by 15 / x, x >= 15 */
EVGPU_LD double evgpu_ld_bessel_i0_fit(double x)
{
    double p = -0x1.9cd91097aa689p-31;
    p = evgpu_ld_fma(p, x, 0x1.7cc3e2d95f1c3p-28);
    p = evgpu_ld_fma(p, x, -0x1.3ada918d7b407p-26);
    p = evgpu_ld_fma(p, x, 0x1.368ab6754f848p-25);
    p = evgpu_ld_fma(p, x, -0x1.97aa2f8620a26p-25);
    p = evgpu_ld_fma(p, x, 0x1.78bdd72f7fe0ep-25);
    p = evgpu_ld_fma(p, x, -0x1.f5bb6203bdd51p-26);
    p = evgpu_ld_fma(p, x, 0x1.f504e8d24f6b7p-27);
    p = evgpu_ld_fma(p, x, -0x1.206877eb4a21ep-28);
    p = evgpu_ld_fma(p, x, 0x1.716919a934208p-28);
    p = evgpu_ld_fma(p, x, 0x1.54309e167f969p-26);
    p = evgpu_ld_fma(p, x, 0x1.004a60922f988p-23);
    p = evgpu_ld_fma(p, x, 0x1.da7bbdbaf09bdp-21);
    p = evgpu_ld_fma(p, x, 0x1.22803b7e1bb88p-17);
    p = evgpu_ld_fma(p, x, 0x1.0573687900377p-13);
    p = evgpu_ld_fma(p, x, 0x1.b3c058c9e1825p-9);
    p = evgpu_ld_fma(p, x, 0x1.9884533d43651p-2);
    return p;
}

/* sqrt(x) e^-x I1(x) by 15 / x, x >= 15 */
EVGPU_LD double evgpu_ld_bessel_i1_fit(double x)
{
    double p = 0x1.ac0fece5389b6p-31;
    p = evgpu_ld_fma(p, x, -0x1.8b38dda87e3d9p-28);
    p = evgpu_ld_fma(p, x, 0x1.4715a4a659eb5p-26);
    p = evgpu_ld_fma(p, x, -0x1.42d743a84cf6dp-25);
    p = evgpu_ld_fma(p, x, 0x1.a8123e81b040ep-25);
    p = evgpu_ld_fma(p, x, -0x1.88228a9cfec2cp-25);
    p = evgpu_ld_fma(p, x, 0x1.05316efaf3781p-25);
    p = evgpu_ld_fma(p, x, -0x1.054dfd8f5a24fp-26);
    p = evgpu_ld_fma(p, x, 0x1.26a501bb09fa2p-28);
    p = evgpu_ld_fma(p, x, -0x1.9ffa4cfe26621p-28);
    p = evgpu_ld_fma(p, x, -0x1.92a377bdab528p-26);
    p = evgpu_ld_fma(p, x, -0x1.393b4eb95d19cp-23);
    p = evgpu_ld_fma(p, x, -0x1.3106732a2549fp-20);
    p = evgpu_ld_fma(p, x, -0x1.96b38661f0f40p-17);
    p = evgpu_ld_fma(p, x, -0x1.b3c058c9bf646p-13);
    p = evgpu_ld_fma(p, x, -0x1.46d04297691f1p-7);
    p = evgpu_ld_fma(p, x, 0x1.9884533d43651p-2);
    return p;
}

/* Y0(x) - 2 / pi ln(x) J0(x) by x^2, x <= 3/4 */
EVGPU_LD double evgpu_ld_y0_small(double x)
{
    double p = 0x1.f14c356e1b12bp-55;
    p = evgpu_ld_fma(p, x, -0x1.31063303798aap-46);
    p = evgpu_ld_fma(p, x, 0x1.2393d6bd947e7p-38);
    p = evgpu_ld_fma(p, x, -0x1.a6ee796a61cd8p-31);
    p = evgpu_ld_fma(p, x, 0x1.bce4a600d3592p-24);
    p = evgpu_ld_fma(p, x, -0x1.3e99794203bbap-17);
    p = evgpu_ld_fma(p, x, 0x1.1a6206b7b973dp-11);
    p = evgpu_ld_fma(p, x, -0x1.075b1bbf41364p-6);
    p = evgpu_ld_fma(p, x, 0x1.6bbcb41034286p-3);
    p = evgpu_ld_fma(p, x, -0x1.2e4d699cbd01fp-4);
    return p;
}

/* (Y1(x) - 2 / pi (ln(x) J1(x) - 1 / x)) / x by x^2, x <= 3/4 */
EVGPU_LD double evgpu_ld_y1_small(double x)
{
    double p = 0x1.94ddac0d7ed0cp-59;
    p = evgpu_ld_fma(p, x, -0x1.1473145a629f8p-50);
    p = evgpu_ld_fma(p, x, 0x1.2a4e19db61507p-42);
    p = evgpu_ld_fma(p, x, -0x1.f0ce34d12dd1ap-35);
    p = evgpu_ld_fma(p, x, 0x1.32e5a4ddee6d7p-27);
    p = evgpu_ld_fma(p, x, -0x1.0a780ac776eabp-20);
    p = evgpu_ld_fma(p, x, 0x1.2c7dbffcde97dp-14);
    p = evgpu_ld_fma(p, x, -0x1.835b97894be5bp-9);
    p = evgpu_ld_fma(p, x, 0x1.bd3975c75b4a7p-5);
    p = evgpu_ld_fma(p, x, -0x1.91866143cbc8ap-3);
    return p;
}

#endif
