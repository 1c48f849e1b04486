/** A product as a theme prints it. */
export interface Thing {
  /** From 1. */
  id: number
  url: string
  name: string
  price: string
  /** The words of its control. */
  buy: string
}

/** How the default theme of a platform prints its products. */
export interface Theme {
  platform: string
  /** Where the `id`th product is; the number is the first that the address has. */
  address: (id: number) => string
  category: string
  card: (thing: Thing, microdata: string) => string
  list: (cards: string) => string
  /** Its lists have one button for all that is chosen. */
  one_button?: true
  /** The page's own product, above or below which others may stand. */
  product: (thing: Thing) => string
}

const TEXT = `<p>${'Made to last, of steel and of ash. '.repeat(12)}</p>`
const img = ({ name, id }: Thing) => `<img src="/i/${id}.jpg" alt="${name}">`
const div = (name: string, ...content: string[]) => `<div class="${name}">${content.join('')}</div>`
const link = ({ url }: Thing, content: string, more = '') =>
  `<a href="${url}"${more}>${content}</a>`
const hidden = (name: string, { id }: Thing) => `<input type="hidden" name="${name}" value="${id}">`
const button = ({ buy }: Thing, more = '') => `<button type="submit"${more}>${buy}</button>`
const post = (action: string, ...content: string[]) =>
  `<form action="${action}" method="post">${content.join('')}</form>`
const ul = (name: string) => (cards: string) => `<ul class="${name}">${cards}</ul>`
const grid = (name: string) => (cards: string) => div(name, cards)
const qty = '<input type="number" name="quantity" value="1">'
const shipping = 'plus <a href="/shipping">shipping</a>'

/** Pictures, and next to them the name, the price and the control. */
const oneColumn = (thing: Thing, form: string) =>
  div(
    'row',
    div('gallery', `<a href="/i/${thing.id}-large.jpg">${img(thing)}</a>`),
    div('info', `<h1>${thing.name}</h1>`, div('price', thing.price), shipping, form),
  ) + TEXT

/** The name above, and a column for what is bought. */
const buyColumn = (thing: Thing, form: string) =>
  div('head', `<h1>${thing.name}</h1>`, '<a href="/maker"><img src="/m.png" alt="Maker"></a>') +
  div(
    'row',
    div('col', img(thing), div('thumbs', img(thing))),
    div('col', div('price', thing.price), shipping, '<a href="/sizes">Sizes</a>', form),
  ) +
  TEXT

/** Its name is a heading of the second order, as the first is the name of the shop. */
const secondOrder = (thing: Thing, form: string) =>
  div(
    'row',
    div('col', img(thing)),
    div('col', `<h2>${thing.name}</h2>`, div('price', thing.price), form, TEXT),
  )

const html = (id: number) => `/kettle-${id}.html`
const plain = (id: number) => `/kettle-${id}`
const folder = (name: string) => (id: number) => `/${name}/kettle-${id}`

export const THEMES: Theme[] = [
  {
    platform: 'Magento, Luma',
    address: html,
    category: '/kettles.html',
    list: (cards) => `<ol class="products list items product-items">${cards}</ol>`,
    card: (thing, microdata) =>
      `<li class="item product product-item"${microdata}><div class="product-item-info">${link(thing, img(thing), ' tabindex="-1"')}${div('product details', `<strong class="product name">${link(thing, thing.name, ' class="product-item-link" itemprop="url"')}</strong>`, div('price-box', thing.price), div('actions-primary', post('/checkout/cart/add/uenc/aHR0/', hidden('product', thing), button(thing, ' class="action tocart"'))), '<a href="#" class="action towishlist">Wish</a>')}</div></li>`,
    product: (thing) =>
      oneColumn(thing, post('/checkout/cart/add/', hidden('product', thing), qty, button(thing))),
  },
  {
    platform: 'Shopware 6',
    address: (id) => `/Kettle-${id}/SW1000${id}`,
    category: '/Kettles/',
    list: grid('row cms-listing-row'),
    card: (thing, microdata) =>
      `<div class="cms-listing-col col-sm-6"><div class="card product-box"${microdata}>${div('product-image-wrapper', link(thing, img(thing)))}${div('product-info', link(thing, thing.name, ' class="product-name"'), div('product-description', 'Of steel, for three litres.'), div('product-price', `${thing.price}*`), post('/checkout/line-item/add', hidden('id', thing), button(thing, ' class="btn btn-buy"')))}</div></div>`,
    product: (thing) => buyColumn(thing, post('/checkout/line-item/add', qty, button(thing))),
  },
  {
    platform: 'PrestaShop, Classic',
    address: (id) => `/${id}-kettle.html`,
    category: '/3-kettles',
    list: grid('products row'),
    card: (thing, microdata) =>
      `<article class="product-miniature" data-id-product="${thing.id}"${microdata}>${link(thing, img(thing), ' class="thumbnail"')}<h2 class="h3 product-title">${link(thing, thing.name)}</h2><span class="price">${thing.price}</span>${post('/panier', hidden('id_product', thing), button(thing, ' class="btn add-to-cart"'))}</article>`,
    product: (thing) =>
      oneColumn(thing, post('/panier', hidden('id_product', thing), qty, button(thing))),
  },
  {
    platform: 'nopCommerce',
    address: plain,
    category: '/kettles',
    list: grid('item-grid'),
    card: (thing, microdata) =>
      `<div class="item-box"><div class="product-item"${microdata}>${div('picture', link(thing, img(thing)))}${div('details', `<h2 class="product-title">${link(thing, thing.name)}</h2>`, div('description', 'Of steel.'), div('prices', thing.price), `<button type="button" class="button-2 product-box-add-to-cart-button" onclick="return AjaxCart.addproducttocart_catalog('/addproducttocart/catalog/${thing.id}/1/1'),!1">${thing.buy}</button>`)}</div></div>`,
    product: (thing) =>
      post('/x', oneColumn(thing, qty + button(thing, ' id="add-to-cart-button-4"'))),
  },
  {
    platform: 'VTEX',
    address: (id) => `/kettle-${id}/p`,
    category: '/kettles',
    list: grid('vtex-search-result-gallery'),
    card: (thing, microdata) =>
      `<section class="vtex-product-summary"${microdata}>${link(thing, `<article>${img(thing)}<h3><span>${thing.name}</span></h3>${div('selling-price', thing.price)}<div><button>${thing.buy}</button></div></article>`)}</section>`,
    product: (thing) =>
      oneColumn(thing, `<div><button type="button"><span>${thing.buy}</span></button></div>`),
  },
  {
    platform: 'osCommerce',
    address: (id) => `/product_info.php?products_id=${id}`,
    category: '/index.php?cPath=2',
    list: (cards) => `<table class="productListing">${cards}</table>`,
    card: (thing, microdata) =>
      `<tr${microdata}><td>${link(thing, img(thing))}</td><td>${link(thing, thing.name)}</td><td>${thing.price}</td><td><a href="/index.php?action=buy_now&amp;products_id=${thing.id}" class="btn">${thing.buy}</a></td></tr>`,
    product: (thing) =>
      post(
        `/product_info.php?products_id=${thing.id}&amp;action=add_product`,
        `<div class="page-header"><h1>${link(thing, thing.name)}</h1><b>${thing.price}</b></div>${TEXT}${hidden('products_id', thing)}${button(thing)}`,
      ),
  },
  {
    platform: 'EC-CUBE',
    address: (id) => `/products/detail/${id}`,
    category: '/products/list?category_id=2',
    list: ul('ec-shelfGrid'),
    card: (thing, microdata) =>
      `<li class="ec-shelfGrid__item"${microdata}>${link(thing, `<p>${img(thing)}</p><p>${thing.name}</p><p class="price02">${thing.price}</p>`)}${post(`/products/add_cart/${thing.id}`, qty, hidden('product_id', thing))}<button type="submit" class="add-cart" form="f${thing.id}">${thing.buy}</button></li>`,
    product: (thing) =>
      secondOrder(thing, post(`/products/add_cart/${thing.id}`, qty, button(thing))),
  },
  {
    platform: 'Bitrix',
    address: (id) => `/catalog/kettles/kettle_${id}/`,
    category: '/catalog/kettles/',
    list: grid('catalog-section'),
    card: (thing, microdata) =>
      `<div class="product-item-container"><div class="product-item"${microdata}>${link(thing, '<span style="background-image:url(/i.jpg)"></span>')}<h3 class="product-item-title">${link(thing, thing.name)}</h3>${div('product-item-price-container', thing.price)}${div('product-item-button-container', `<button class="btn">${thing.buy}</button>`)}</div></div>`,
    product: (thing) => buyColumn(thing, `<button class="btn" id="buy">${thing.buy}</button>`),
  },
  {
    platform: 'Gambio',
    address: html,
    category: '/kettles/',
    list: grid('row products'),
    card: (thing, microdata) =>
      `<div class="product-container"><form class="product-tile"${microdata}><figure class="image"><span>${img(thing)}</span></figure><div class="title">${link(thing, thing.name, ' class="product-url"')}</div>${div('price-tax', `<span>${thing.price}</span>`, `<div class="tax">incl. VAT, plus <a href="/popup_content.php?coID=1">shipping</a></div>`)}<button class="btn-buy btn-add-to-cart">${thing.buy}</button></form></div>`,
    product: (thing) =>
      oneColumn(thing, post('/x', qty, button(thing, ' class="btn-buy btn-add-to-cart"'))),
  },
  {
    platform: 'Ecwid',
    address: (id) => `/Kettle-${id}-p80${id}`,
    category: '/Kettles-c12',
    list: grid('grid__products'),
    card: (thing, microdata) =>
      `<div class="grid-product"${microdata}><div class="grid-product__image">${link(thing, div('picture', img(thing)))}</div>${link(thing, div('grid-product__title-inner', thing.name))}${div('grid-product__price', thing.price)}<div><button class="form-control__button"><span>${thing.buy}</span></button></div></div>`,
    product: (thing) =>
      oneColumn(thing, `<button class="form-control__button">${thing.buy}</button>`),
  },
  {
    platform: 'Squarespace',
    address: folder('shop/p'),
    category: '/shop/kettles',
    list: grid('products-flex-container'),
    card: (thing, microdata) =>
      `<div class="grid-item"${microdata}><a href="${thing.url}" class="grid-item-link" aria-label="${thing.name}"></a><figure><img src="/i.jpg" alt=""></figure><section class="grid-meta">${div('grid-title', thing.name)}${div('grid-prices', thing.price)}</section><div class="sqs-add-to-cart-button" role="button">${thing.buy}</div></div>`,
    product: (thing) =>
      oneColumn(thing, `<div class="sqs-add-to-cart-button" role="button">${thing.buy}</div>`),
  },
  {
    platform: 'WooCommerce, classic',
    address: (id) => `/product/kettle-${id}/`,
    category: '/product-category/kettles/',
    list: ul('products columns-4'),
    card: (thing, microdata) =>
      `<li class="product type-product"${microdata}>${link(thing, `${img(thing)}<h2 class="woocommerce-loop-product__title">${thing.name}</h2><span class="price">${thing.price}</span>`)}<a href="?add-to-cart=${thing.id}" class="button add_to_cart_button" rel="nofollow">${thing.buy}</a></li>`,
    product: (thing) =>
      oneColumn(
        thing,
        `<form class="cart" method="post">${qty}${button(thing, ' name="add-to-cart"')}</form>`,
      ),
  },
  {
    platform: 'WooCommerce, products with options',
    address: plain,
    category: '/kettles/',
    list: ul('products'),
    card: (thing, microdata) =>
      `<li class="product"${microdata}>${link(thing, `${img(thing)}<h2>${thing.name}</h2><span class="price">${thing.price}</span>`)}${link(thing, 'Select options', ' class="button product_type_variable add_to_cart_button"')}</li>`,
    product: (thing) =>
      oneColumn(
        thing,
        `<form class="variations_form cart"><select name="size"><option>1</option></select>${qty}${button(thing)}</form>`,
      ),
  },
  {
    platform: 'WooCommerce, blocks',
    address: plain,
    category: '/kettles/',
    list: ul('wc-block-product-template'),
    card: (thing, microdata) =>
      `<li class="wc-block-product"${microdata}><div>${link(thing, img(thing))}</div><h2 class="wp-block-post-title">${link(thing, thing.name)}</h2>${div('wc-block-components-product-price', thing.price)}${div('wp-block-button', `<button class="add_to_cart_button">${thing.buy}</button>`)}</li>`,
    product: (thing) => oneColumn(thing, `<form class="cart">${qty}${button(thing)}</form>`),
  },
  {
    platform: 'Shopify, Dawn',
    address: folder('products'),
    category: '/collections/kettles',
    list: ul('grid product-grid'),
    card: (thing, microdata) =>
      `<li class="grid__item"><div class="card-wrapper"${microdata}><div class="card__inner">${img(thing)}<h3 class="card__heading">${link(thing, thing.name)}</h3></div><div class="card__content"><h3 class="card__heading h5">${link(thing, thing.name)}</h3>${div('price', thing.price)}<product-form>${post('/cart/add', hidden('id', thing), button(thing, ' name="add" class="quick-add__submit"'))}</product-form></div></div></li>`,
    product: (thing) => oneColumn(thing, post('/cart/add', qty, button(thing, ' name="add"'))),
  },
  {
    platform: 'BigCommerce, Cornerstone',
    address: (id) => `/kettle-${id}/`,
    category: '/kettles/',
    list: ul('productGrid'),
    card: (thing, microdata) =>
      `<li class="product"><article class="card"${microdata}><figure>${link(thing, img(thing), ` aria-label="${thing.name}, ${thing.price}"`)}<figcaption><button class="quickview">Quick view</button><a href="/cart.php?action=add&amp;product_id=${thing.id}" class="button">${thing.buy}</a></figcaption></figure><div class="card-body"><h3 class="card-title">${link(thing, thing.name)}</h3><div class="card-text">${thing.price}</div></div></article></li>`,
    product: (thing) =>
      oneColumn(
        thing,
        post(
          '/cart.php',
          hidden('product_id', thing),
          qty,
          `<input id="form-action-addToCart" type="submit" value="${thing.buy}">`,
        ),
      ),
  },
  {
    platform: 'OpenCart',
    address: (id) => `/index.php?route=product/product&product_id=${id}`,
    category: '/index.php?route=product/category&path=20',
    list: grid('row'),
    card: (thing, microdata) =>
      `<div class="product-layout"><div class="product-thumb"${microdata}>${div('image', link(thing, img(thing)))}<div class="caption"><h4>${link(thing, thing.name)}</h4><p>Of steel, for three litres.</p><p class="price">${thing.price}</p></div><div class="button-group"><button type="button" onclick="cart.add('${thing.id}');"><i></i><span>${thing.buy}</span></button></div></div></div>`,
    product: (thing) =>
      oneColumn(
        thing,
        `<div id="product">${qty}<button type="button" id="button-cart">${thing.buy}</button></div>`,
      ),
  },
  {
    platform: 'Wix',
    address: folder('product-page'),
    category: '/kettles',
    list: (cards) => `<section data-hook="product-list">${cards}</section>`,
    card: (thing, microdata) =>
      `<div data-hook="product-item-root"${microdata}>${link(thing, img(thing))}<div>${link(thing, `<h3>${thing.name}</h3><span>${thing.price}</span>`)}</div><button data-hook="product-item-add-to-cart-button">${thing.buy}</button></div>`,
    product: (thing) => oneColumn(thing, `<button data-hook="add-to-cart">${thing.buy}</button>`),
  },
  {
    platform: 'Salesforce, SFRA',
    address: (id) => `/en/kettle/2551844${id}.html`,
    category: '/en/kettles',
    list: grid('row product-grid'),
    card: (thing, microdata) =>
      `<div class="product" data-pid="${thing.id}"><div class="product-tile"${microdata}>${div('image-container', link(thing, img(thing)))}<div class="tile-body">${div('pdp-link', link(thing, thing.name))}${div('price', thing.price)}</div><button class="add-to-cart btn" data-pid="${thing.id}">${thing.buy}</button></div></div>`,
    product: (thing) =>
      buyColumn(
        thing,
        `<button class="add-to-cart btn" data-pid="${thing.id}">${thing.buy}</button>`,
      ),
  },
  {
    platform: 'SAP, Spartacus',
    address: (id) => `/powertools/en/USD/product/${id}/kettle-${id}`,
    category: '/powertools/en/USD/c/1355',
    list: (cards) => `<cx-product-list>${cards}</cx-product-list>`,
    card: (thing, microdata) =>
      `<cx-product-grid-item${microdata}>${link(thing, `<cx-media>${img(thing)}</cx-media>`)}${link(thing, thing.name, ' class="cx-product-name"')}${div('cx-product-price', thing.price)}<cx-add-to-cart><form>${button(thing)}</form></cx-add-to-cart></cx-product-grid-item>`,
    product: (thing) =>
      buyColumn(thing, `<cx-add-to-cart><form>${qty}${button(thing)}</form></cx-add-to-cart>`),
  },
  {
    platform: 'Medusa',
    address: (id) => `/de/products/kettle-${id}`,
    category: '/de/categories/kettles',
    list: ul('grid'),
    card: (thing, microdata) =>
      `<li${microdata}>${link(thing, div('wrapper', img(thing), `<p>${thing.name}</p><p>${thing.price}</p>`))}<button>${thing.buy}</button></li>`,
    product: (thing) =>
      div(
        'container',
        div('info', `<h2>${thing.name}</h2>`, TEXT),
        div('images', img(thing)),
        div('actions', `<span>${thing.price}</span>`, `<button>${thing.buy}</button>`),
      ),
  },
  {
    platform: 'EverShop',
    address: plain,
    category: '/kettles',
    list: grid('listing-grid'),
    card: (thing, microdata) =>
      `<div class="listing-tem"${microdata}>${div('product-thumbnail-listing', link(thing, img(thing)))}${div('product-name', link(thing, `<span>${thing.name}</span>`))}${div('product-price-listing', thing.price)}<button type="button">${thing.buy}</button></div>`,
    product: (thing) =>
      oneColumn(thing, `<form>${qty}<button type="button">${thing.buy}</button></form>`),
  },
  {
    platform: 'Saleor',
    address: (id) => `/default-channel/products/kettle-${id}`,
    category: '/default-channel/categories/kettles',
    list: ul('grid'),
    card: (thing, microdata) =>
      `<li data-testid="ProductElement"${microdata}>${link(thing, `<div>${img(thing)}<h3>${thing.name}</h3><p>Kettles</p><p>${thing.price}</p></div>`)}<form><button type="submit">${thing.buy}</button></form></li>`,
    product: (thing) => buyColumn(thing, `<form>${button(thing)}</form>`),
  },
  {
    platform: 'Sylius',
    address: (id) => `/en_US/products/kettle-${id}`,
    category: '/en_US/taxons/kettles',
    list: grid('ui three cards'),
    card: (thing, microdata) =>
      `<div class="ui fluid card"${microdata}>${link(thing, `<div class="ui dimmer"><div class="ui inverted button">View more</div></div>${img(thing)}`)}<div class="content">${link(thing, thing.name, ' class="header sylius-product-name"')}${div('sylius-product-price', thing.price)}</div><form><button class="ui button">${thing.buy}</button></form></div>`,
    product: (thing) =>
      buyColumn(thing, `<form id="sylius-product-adding-to-cart">${qty}${button(thing)}</form>`),
  },
  {
    platform: 'Zen Cart',
    address: (id) => `/index.php?main_page=product_info&cPath=1&products_id=${id}`,
    category: '/index.php?main_page=index&cPath=1',
    list: grid('centerBoxWrapper'),
    card: (thing, microdata) =>
      `<div class="centerBoxContentsListing"${microdata}>${div('list-image', link(thing, img(thing)))}<h3 class="itemTitle">${link(thing, thing.name)}</h3><div class="listingDescription">Of steel.</div>${div('list-price', thing.price)}${post('/index.php?main_page=index&amp;action=add_product', hidden('products_id', thing), `<input type="image" src="/b.gif" alt="${thing.buy}">`)}</div>`,
    product: (thing) =>
      post(
        `/index.php?main_page=product_info&amp;products_id=${thing.id}&amp;action=add_product`,
        `<h1 id="productName">${thing.name}</h1><h2 id="productPrices">${thing.price}</h2>${img(thing)}${TEXT}${qty}<input type="image" alt="${thing.buy}">`,
      ),
  },
  {
    platform: 'Zen Cart, one button for all',
    one_button: true,
    address: (id) => `/index.php?main_page=product_info&products_id=${id}`,
    category: '/index.php?main_page=index&cPath=1',
    list: (cards) =>
      post(
        '/index.php?action=multiple_products_add_product',
        cards,
        '<input type="submit" value="Add to cart">',
      ),
    card: (thing, microdata) =>
      `<div class="listing"${microdata}>${link(thing, img(thing))}<h3 class="itemTitle">${link(thing, thing.name)}</h3><b>${thing.price}</b><input name="products_id[${thing.id}]"></div>`,
    product: (thing) =>
      `<h1>${thing.name}</h1><h2>${thing.price}</h2>${TEXT}<form>${qty}${button(thing)}</form>`,
  },
  {
    platform: 'JTL, NOVA',
    address: plain,
    category: '/Kettles',
    list: grid('row product-list'),
    card: (thing, microdata) =>
      `<div class="productbox"${microdata}><form action="/" method="post" class="form-basket">${hidden('a', thing)}${div('productbox-image', link(thing, img(thing)))}${div('productbox-title', link(thing, thing.name))}${div('price_wrapper', thing.price)}<input name="anzahl"><button class="btn basket-details-add" title="${thing.buy}"><span>${thing.buy}</span></button></form></div>`,
    product: (thing) => oneColumn(thing, `<div id="add-to-cart">${qty}${button(thing)}</div>`),
  },
  {
    platform: 'OXID',
    address: (id) => `/Kettles/Kettle-${id}.html`,
    category: '/Kettles/',
    list: ul('gridView'),
    card: (thing, microdata) =>
      `<li class="productData"${microdata}><form action="/index.php" method="post">${hidden('aid', thing)}${div('picture', link(thing, img(thing)))}${div('title', link(thing, `<span>${thing.name}</span>`))}${div('price', `${thing.price} *`)}${button(thing)}</form></li>`,
    product: (thing) => post('/index.php', buyColumn(thing, qty + button(thing, ' id="toBasket"'))),
  },
  {
    platform: 'CS-Cart',
    address: (id) => `/index.php?dispatch=products.view&product_id=${id}`,
    category: '/index.php?dispatch=categories.view&category_id=2',
    list: grid('grid-list'),
    card: (thing, microdata) =>
      `<div class="ty-column4"><div class="ty-grid-list__item"${microdata}><form action="/index.php" method="post">${div('ty-grid-list__image', link(thing, img(thing)))}${div('ty-grid-list__item-name', `<bdi>${link(thing, thing.name, ' class="product-title"')}</bdi>`)}${div('ty-grid-list__price', thing.price)}<button class="ty-btn__add-to-cart">${thing.buy}</button></form></div></div>`,
    product: (thing) =>
      oneColumn(
        thing,
        `<form>${qty}<button class="ty-btn__add-to-cart">${thing.buy}</button></form>`,
      ),
  },
  {
    platform: 'Tiendanube',
    address: (id) => `/productos/kettle-${id}/`,
    category: '/kettles/',
    list: grid('products-grid'),
    card: (thing, microdata) =>
      `<div class="item-product"><div class="item"${microdata}>${div('item-image', link(thing, img(thing)))}<div class="item-description">${link(thing, `${div('item-name', thing.name)}${div('item-price', thing.price)}`)}</div>${post('/comprar/', `<input type="submit" value="${thing.buy}">`)}</div></div>`,
    product: (thing) =>
      oneColumn(thing, post('/comprar/', `<input type="submit" value="${thing.buy}">`)),
  },
  {
    platform: 'Cafe24',
    address: (id) => `/product/kettle/${id}/category/24/display/1/`,
    category: '/product/list.html?cate_no=24',
    list: ul('prdList grid4'),
    card: (thing, microdata) =>
      `<li id="anchorBoxId_${thing.id}"${microdata}>${div('prdImg', link(thing, img(thing)))}<div class="description">${div('name', link(thing, `<span>${thing.name}</span>`))}<ul class="spec"><li>${thing.price}</li></ul><span class="cart" onclick="add(${thing.id})">${thing.buy}</span></div></li>`,
    product: (thing) =>
      oneColumn(thing, `<a href="#none" onclick="submit()"><span>${thing.buy}</span></a>`),
  },
  {
    platform: 'Shoper',
    address: (id) => `/pl/p/Kettle-${id}/${id}`,
    category: '/pl/c/Kettles/12',
    list: grid('products viewphot'),
    card: (thing, microdata) =>
      `<div class="product" data-product-id="${thing.id}"${microdata}>${link(thing, `<span class="img-wrap">${img(thing)}</span>`, ' class="prodimage"')}<div class="product-main-wrap">${link(thing, `<span class="productname">${thing.name}</span>`, ' class="prodname"')}${div('price', `<em>${thing.price}</em>`)}${post('/pl/basket/add', button(thing, ' class="addtobasket"'))}</div></div>`,
    product: (thing) =>
      oneColumn(thing, post('/pl/basket/add', qty, button(thing, ' class="addtobasket"'))),
  },
  {
    platform: 'a theme of plain links',
    address: plain,
    category: '/kettles',
    list: (cards) => `<table><tbody>${cards}</tbody></table>`,
    card: (thing, microdata) =>
      `<tr${microdata}><td>${link(thing, thing.name)}</td><td>${thing.price}</td><td><form>${button(thing)}</form></td></tr>`,
    product: (thing) =>
      `<h1>${thing.name}</h1>by <a href="/kiln">Kiln</a><div>${thing.price}</div><form>${button(thing)}</form>${TEXT}`,
  },
]

/** How a shop in one language names a product, its price and the control. */
export interface Language {
  lang: string
  buy: string
  price: (amount: number) => string
  name: string
}

const SPOKEN: [string, string, Language['price'], string][] = [
  ['de', 'In den Warenkorb', (n) => `${n},90 €`, 'Kessel Erle'],
  ['fr', 'Ajouter au panier', (n) => `${n},90 €`, 'Bouilloire en acier'],
  ['es', 'Añadir al carrito', (n) => `${n},90 €`, 'Tetera de acero'],
  ['it', 'Aggiungi al carrello', (n) => `€ ${n},90`, 'Bollitore in acciaio'],
  ['nl', 'In winkelwagen', (n) => `€ ${n},90`, 'Stalen ketel'],
  ['pl', 'Do koszyka', (n) => `${n},90 zł`, 'Czajnik stalowy'],
  ['sv', 'Lägg i varukorgen', (n) => `${n}0 kr`, 'Kittel av stål'],
  ['pt', 'Adicionar ao carrinho', (n) => `R$ ${n},90`, 'Chaleira de aço'],
  ['tr', 'Sepete Ekle', (n) => `${n},90 TL`, 'Çelik çaydanlık'],
  ['ru', 'В корзину', (n) => `${n}0 ₽`, 'Чайник стальной'],
  ['ja', 'カートに入れる', (n) => `${n},800円`, 'ステンレスのやかん'],
  ['en', 'Add to cart', (n) => `$${n}.90`, 'Steel kettle'],
  ['ko', '장바구니 담기', (n) => `${n},000원`, '스틸 주전자'],
]

export const LANGUAGES: Language[] = SPOKEN.map(([lang, buy, price, name]) => ({
  lang,
  buy,
  price,
  name,
}))
