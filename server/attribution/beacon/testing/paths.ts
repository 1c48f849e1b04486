/**
 * Addresses of products and lists, in the forms of shop software and of large shops: none of them
 * names a person.
 */
export const PRODUCT_PATHS = words`
  /products/classic-logo-t-shirt /products/mens_slim_fit_chinos_2026 /products/12-pack-socks
  /collections/all/products/organic-cotton-hoodie /en-us/products/wool-runner-mizzles
  /products/tree-runner-go?variant=40125 /products/gift-card /products/hydro-flask-32oz-wide-mouth
  /products/vitamin-d3-k2-5000iu-120-capsules /products/3-in-1-usb-c-cable-100w-2m
  /product/blue-hoodie/ /shop/clothing/hoodies/blue-hoodie /product-category/accessories/hats
  /product/acme-tv-55-qled-4k-2026 /shop/page/2 /tienda/zapatillas-running-hombre-42
  /catalog/product/view/id/1234/s/joust-duffle-bag/category/4 /joust-duffle-bag.html
  /women/tops-women/jackets-women.html /gear/bags/fusion-backpack-24-mb02.html
  /fr/accueil/19-mug-personnalisable.html /en/clothes/1-1-hummingbird-printed-t-shirt.html
  /2-home-accessories?q=Size-L /gb/art/3-13-the-best-is-yet-to-come.html
  /detail/0192a3b4c5d6e7f8a9b0c1d2e3f4a5b6 /Main-product-with-properties/SW10007.1
  /dp/B08N5WRWNW /Apple-AirPods-Pro-2nd-Generation/dp/B0CHWRXH8B /gp/product/1492056200
  /Lodge-L8SK3-Pre-Seasoned-Skillet-10-25-inch/dp/B00006JSUA /s/ref=nb_sb_noss
  /ip/Great-Value-Whole-Vitamin-D-Milk-Gallon-128-fl-oz/10450114
  /ip/onn-55-Class-4K-UHD-2160p-LED-Roku-Smart-TV-HDR-100012586/660155187
  /p/apple-airpods-pro-2nd-generation/-/A-85978612 /c/mens-shoes/-/N-5xu1f
  /site/sony-wh-1000xm5-wireless-noise-canceling-headphones-black/6505727.p
  /itm/234567890123 /itm/Vintage-Seiko-5-Automatic-7009-Watch/285412345678
  /listing/1234567890/handmade-ceramic-mug-personalized /listing/987654321/14k-gold-ring
  /item/1005004567890123.html /item/32968718290.html /i/4000123456789.html
  /product-detail/Custom-Logo-Canvas-Tote-Bag_1600234567890.html
  /f/nike/air-force-1-low-white-0f3a /t/air-max-90-mens-shoes-6n3vKB/CN8490-002
  /us/running-shoes/ultraboost-5/ID8812.html /us/ultraboost-light-shoes/HQ6340.html
  /us/en/p/billy-bookcase-white-00263850/ /de/de/p/kallax-regal-weiss-80275887/
  /en_us/productpage.0970818001.html /en_gb/productpage.1074475041.html
  /us/en/product-cargo-trousers-p04387300.html /es/es/vestido-midi-p02298777.html
  /prd/asos-design-oversized-t-shirt-in-black/206345678 /shop/product/levis-501-original-jeans?ID=1
  /zalando/nike-sportswear-trainers-ni112o0g5-a11.html /adidas-originals-gazelle-ad115o0h7-k11.html
  /de/p/handtasche-aus-leder-4056245123457 /p/lego-technic-42143-ferrari-daytona-sp3-5702017153865
  /artikel/4250368201234 /buch/der-zauberberg-9783596294336 /isbn/9780141439518 /gtin/00012345600012
  /produkt/kaffeevollautomat-ecam-22-110-b /produkte/akkuschrauber-gsr-18v-55-2x4-0ah
  /produit/robe-longue-fleurie-ref-8821341 /produits/chaussures/baskets-blanches-38
  /producto/cafetera-express-20-bar-1-5l /productos/12345-camiseta-basica
  /prodotto/borsa-a-tracolla-in-pelle-nera /prodotti/scarpe-uomo-43-cod-778812
  /produto/tenis-corrida-masculino-42/MLB123456789 /produkt/rowerek-biegowy-12-cali-p-55123
  /MLA-1234567890-zapatillas-urbanas-_JM /p/MLB19876543 /pd/galaxy-watch-ultra-47mm-lte
  /smartphones/galaxy-s25-ultra/buy/galaxy-s25-ultra-512gb-titanium-black-sku-sm-s938uzkfxaa
  /shop/buy-iphone/iphone-17-pro/6.3-inch-display-256gb-silver /shop/product/MYH93LL/A
  /laptops/thinkpad/thinkpad-x1/thinkpad-x1-carbon-gen-13-14-inch-intel/len101t0111
  /en-us/shop/dell-laptops/xps-13-laptop/spd/xps-13-9350-laptop /p/N82E16814137785
  /Product/RTX-5080-16GB-GDDR7-OC/N82E16814126712 /c/graphics-cards/4070-ti-super-oc-16g
  /kaufen/9v-block-batterie-6lr61-10er-pack /wandfarbe-weiss-matt-10l-eimer-2k
  /tires/225-45-r17-91w-xl /felgen/8x18-et35-5x112-schwarz /schrauben/din-912-m8x40-a2-70-100st
  /lampen/led-e27-9w-806lm-2700k-3er /kabel/nym-j-3x1-5mm2-50m /filter/hu-816-x-bmw-n47
  /perfume/chanel-no-5-eau-de-parfum-100ml /skincare/niacinamide-10-zinc-1-30ml
  /wine/chateau-margaux-2015-75cl /coffee/ethiopia-yirgacheffe-natural-1kg-beans
  /books/harry-potter-and-the-goblet-of-fire-4 /music/the-dark-side-of-the-moon-50th-lp
  /games/ps5-dualsense-wireless-controller-cfi-zct1w /toys/lego-city-60380 /manga/one-piece-vol-108
  /pages/size-guide-2026 /blogs/news/5-ways-to-style-a-trench-coat /sale/black-friday-2026
  /brands/3m /brand/7-for-all-mankind /new-in/2026-11 /lookbook/aw26 /stores/berlin-10115
  /collections/under-50 /collections/best-sellers-2026 /search/red-shoes-size-42`

/** Addresses below which a person, a session or a secret is named, and what is kept of each. */
export const PRIVATE_PATHS: readonly (readonly [path: string, kept: string])[] = [
  ['/account/orders/1001', '/account/orders/*'],
  ['/account/orders/f3b2c1d4e5a69788', '/account/orders/*'],
  ['/account/addresses/88213', '/account/addresses/*'],
  ['/account/login/7f3a9c2e', '/account/login/*'],
  ['/account/activate/6543210/9f8e7d6c5b4a', '/account/activate/*/*'],
  ['/account/reset/6543210/9f8e7d6c5b4a3210', '/account/reset/*/*'],
  ['/my-account/view-order/1234', '/my-account/view-order/*'],
  ['/my-account/orders/2', '/my-account/orders/*'],
  ['/my-account/edit-address/12', '/my-account/edit-address/*'],
  ['/checkout/order-received/1234', '/checkout/order-received/*'],
  ['/checkout/order-pay/1234', '/checkout/order-pay/*'],
  ['/checkout/cs_live_a1B2c3D4e5F6g7H8', '/checkout/*'],
  ['/checkout/12345678/complete', '/checkout/*/complete'],
  ['/checkouts/c/8e1f0a2b3c4d5e6f7a8b9c0d1e2f3a4b/thank_you', '/checkouts/c/*/thank_you'],
  ['/checkouts/cn/Z2NwLXVzLWVhc3QxOjAxSk/information', '/checkouts/cn/*/information'],
  ['/12345678/orders/0a1b2c3d4e5f60718293a4b5c6d7e8f9', '/12345678/orders/*'],
  ['/orders/0a1b2c3d4e5f60718293a4b5c6d7e8f9/authenticate', '/orders/*/authenticate'],
  ['/order/view/id/000001234', '/order/view/id/*'],
  ['/sales/order/view/order_id/123456', '/sales/order/view/order_id/*'],
  ['/customer/account/confirm/id/77', '/customer/account/confirm/id/*'],
  ['/customer/address/edit/id/5521', '/customer/address/edit/id/*'],
  ['/customers/8675309', '/customers/*'],
  ['/client/98231/factures', '/client/*/factures'],
  ['/compte/commandes/2026-001', '/compte/commandes/*'],
  ['/commande/55123', '/commande/*'],
  ['/konto/bestellung/10023', '/konto/bestellung/*'],
  ['/kunde/44182', '/kunde/*'],
  ['/bestellungen/B-2026-88123', '/bestellungen/*'],
  ['/pedido/778122', '/pedido/*'],
  ['/cuenta/pedidos/9912', '/cuenta/pedidos/*'],
  ['/cliente/3312', '/cliente/*'],
  ['/conta/pedido/v51238812', '/conta/pedido/*'],
  ['/ordini/7712', '/ordini/*'],
  ['/invoice/INV-2026-0042', '/invoice/*'],
  ['/invoices/in_1Nx2Yz3AbCdEfGh', '/invoices/*'],
  ['/receipt/r_8821', '/receipt/*'],
  ['/receipts/2026/11/8821', '/receipts/*/*/*'],
  ['/returns/RMA100231', '/returns/*'],
  ['/return/start/100231', '/return/start/*'],
  ['/refund/re_3Nx2Yz', '/refund/*'],
  ['/tracking/1Z999AA10123456784', '/tracking/*'],
  ['/track-order/JD014600003SE', '/track-order/*'],
  ['/trackorder/00340434161094015902', '/trackorder/*'],
  ['/subscription/sub_1Nx2Yz', '/subscription/*'],
  ['/subscriptions/448812/skip', '/subscriptions/*/skip'],
  ['/invite/9f3KqL2', '/invite/*'],
  ['/invitation/7c9e6679', '/invitation/*'],
  ['/refer/ANNA10', '/refer/*'],
  ['/referral/anna-b-2026', '/referral/*'],
  ['/share/x7Kp2', '/share/*'],
  ['/token/abc123', '/token/*'],
  ['/session/9812', '/session/*'],
  ['/sessions/3f2b1c4d-9a8b-4c6d-8e7f-1a2b3c4d5e6f', '/sessions/*'],
  ['/download/8f3a/receipt', '/download/*/receipt'],
  ['/downloads/ebook/77f2c1', '/downloads/ebook/*'],
  ['/wishlist/55812', '/wishlist/*'],
  ['/wishlist/shared/4f2a9c', '/wishlist/shared/*'],
  ['/cart/c/Z2NwLWV1cm9wZTox', '/cart/c/*'],
  ['/cart/40125:1', '/cart/*'],
  ['/basket/b-99123', '/basket/*'],
  ['/u/anna1988', '/u/*'],
  ['/user/anna1988', '/user/*'],
  ['/users/42/reviews', '/users/*/reviews'],
  ['/member/10023', '/member/*'],
  ['/members/anna-88', '/members/*'],
  ['/profile/annab88', '/profile/*'],
  ['/profiles/7781', '/profiles/*'],
  ['/login/verify/482913', '/login/verify/*'],
  ['/sign-in/482913', '/sign-in/*'],
  ['/signin/magic/9fK2lQ7', '/signin/magic/*'],
  ['/sign-up/confirm/9fK2', '/sign-up/confirm/*'],
  ['/signup/a1', '/signup/*'],
  ['/auth/callback/4f9a', '/auth/callback/*'],
  ['/verify/482913', '/verify/*'],
  ['/verify/email/9f2c1a', '/verify/email/*'],
  ['/confirm/9f2c1a', '/confirm/*'],
  ['/activate/9f2c1a', '/activate/*'],
  ['/reset/9f2c1a', '/reset/*'],
  ['/password/reset/9f2c1a', '/password/reset/*'],
  ['/unsubscribe/9f2c1a', '/unsubscribe/*'],
  ['/unsubscribe/anna%40mail.example', '/unsubscribe/*'],
  ['/newsletter/unsubscribe/9f2c1a', '/newsletter/unsubscribe/*'],
  ['/wa/491701234567', '/wa/*'],
  ['/whatsapp/4915112345678', '/whatsapp/*'],
  ['/tel/+33612345678', '/tel/*'],
  ['/call/0441632960961', '/call/*'],
  ['/sms/447911123456', '/sms/*'],
  ['/contact/anna@mail.example', '/contact/*'],
  ['/contact/+447911123456', '/contact/*'],
  ['/callback/(415)555-2671', '/callback/*'],
  ['/callback/415.555.2671', '/callback/*'],
  ['/pay/5555555555554444', '/pay/*'],
  ['/pay/6011111111111117', '/pay/*'],
  ['/products/5105105105105100', '/products/*'],
  ['/products/371449635398431', '/products/*'],
  ['/hello/eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2ln', '/hello/*'],
  ['/shop/eyJhbGciOiJSUzI1NiJ9.eyJpZCI6MX0', '/shop/*'],
  ['/9f86d081884c7d659a2feaa0c55ad015', '/*'],
  ['/quote/507f1f77bcf86cd799439011', '/quote/*'],
  ['/hi/0f8fad5b-d9cb-469f-a165-70867728950e', '/hi/*'],
  ['/x/k3j9d8s7f6g5h4j3k2', '/x/*'],
  ['/survey/4915112345', '/survey/*'],
  ['/gift/a1b2c3d4e5f6a7b8c9', '/gift/*'],
]

function words(text: TemplateStringsArray): readonly string[] {
  return text.join('').trim().split(/\s+/)
}
