<?php
defined('ABSPATH') || exit;

// Carts of UCP. A buyer checks out in the shop: `continue_url` opens it with the cart filled.
add_action('rest_api_init', function () {
    $open = ['permission_callback' => '__return_true'];
    register_rest_route('aisle', '/ucp/carts', $open + [
        'methods' => 'POST',
        'callback' => fn ($request) => aisle_write_cart($request, wp_generate_uuid4(), 201),
    ]);
    $one = '/ucp/carts/(?P<cart_id>[0-9a-f-]{36})';
    register_rest_route('aisle', $one, [
        $open + ['methods' => 'GET', 'callback' => fn ($request) => aisle_with_cart($request, 'aisle_cart_answer')],
        $open + [
            'methods' => 'PUT',
            'callback' => fn ($request) => aisle_with_cart($request, fn () => aisle_write_cart($request, $request['cart_id'], 200)),
        ],
    ]);
    register_rest_route('aisle', "$one/cancel", $open + [
        'methods' => 'POST',
        'callback' => fn ($request) => aisle_with_cart($request, function ($cart) {
            delete_transient(aisle_cart_name($cart['id']));
            return aisle_cart_answer($cart);
        }),
    ]);
});

const AISLE_CART_SECONDS = 6 * HOUR_IN_SECONDS;

function aisle_cart_name(string $id): string
{
    return 'aisle_cart_' . str_replace('-', '', $id);
}

function aisle_with_cart(WP_REST_Request $request, callable $answer): WP_REST_Response
{
    $cart = get_transient(aisle_cart_name($request['cart_id']));
    return is_array($cart) ? $answer($cart) : aisle_refuse(200, 'not_found', 'There is no such cart.');
}

function aisle_write_cart(WP_REST_Request $request, string $id, int $status): WP_REST_Response
{
    $asked = $request->get_json_params()['line_items'] ?? null;
    if (!is_array($asked) || !$asked || count($asked) > AISLE_MOST_IDS) {
        return aisle_refuse(400, 'invalid', 'Send one to ' . AISLE_MOST_IDS . ' "line_items", each with "item" and "quantity".');
    }
    $items = [];
    $missing = [];
    foreach (array_values($asked) as $index => $line) {
        $quantity = $line['quantity'] ?? null;
        $itemId = is_array($line) && is_scalar($line['item']['id'] ?? null) ? (string) $line['item']['id'] : '';
        if ($itemId === '' || !is_int($quantity) || $quantity < 1 || $quantity > 9999) {
            return aisle_refuse(400, 'invalid', "\"line_items\"[$index] needs \"item\": {\"id\"} and a \"quantity\" of 1 to 9999.");
        }
        $product = aisle_sold($itemId);
        if (!$product || !$product->is_purchasable() || $product->is_type('variable')) {
            $missing[] = [$index, 'item_unavailable', "There is no item \"$itemId\" to buy."];
        } elseif (!$product->is_in_stock() || !$product->has_enough_stock($quantity)) {
            $missing[] = [$index, 'out_of_stock', "\"{$product->get_name()}\" has no $quantity in stock."];
        } else {
            // One line per item, as a cart of WooCommerce has it.
            $items[$product->get_id()] = ($items[$product->get_id()] ?? 0) + $quantity;
        }
    }
    if (!$items) {
        return aisle_refuse(200, $missing[0][1], $missing[0][2]);
    }
    $attribution = array_filter((array) ($request->get_json_params()['attribution'] ?? []), 'is_string');
    $cart = [
        'id' => $id,
        'items' => array_map(fn ($product, $quantity) => compact('product', 'quantity'), array_keys($items), $items),
        'missing' => $missing,
        // What names the assistant, so that its visit is seen as one.
        'marks' => array_map(
            fn ($value) => mb_substr($value, 0, 200),
            array_intersect_key($attribution, array_flip(['utm_source', 'utm_medium', 'utm_campaign']))
        ),
        'expires' => time() + AISLE_CART_SECONDS,
    ];
    set_transient(aisle_cart_name($id), $cart, AISLE_CART_SECONDS);
    return aisle_cart_answer($cart, $status);
}

function aisle_cart_answer(array $cart, int $status = 200): WP_REST_Response
{
    $currency = get_woocommerce_currency();
    $total = fn (string $type, int $amount) => ['type' => $type, 'amount' => $amount];
    $sum = 0;
    $lines = [];
    foreach ($cart['items'] as $index => $item) {
        $product = wc_get_product($item['product']);
        if (!$product) {
            continue;
        }
        $price = aisle_smallest_unit(wc_get_price_to_display($product), $currency);
        $amount = $price * $item['quantity'];
        $sum += $amount;
        $lines[] = [
            'id' => 'line_' . ($index + 1),
            'item' => ['id' => (string) $product->get_id(), 'title' => aisle_plain($product->get_name()), 'price' => $price],
            'quantity' => $item['quantity'],
            'totals' => [$total('subtotal', $amount), $total('total', $amount)],
        ];
    }
    $messages = array_map(fn ($one) => [
        'type' => 'error', 'code' => $one[1], 'content' => $one[2], 'severity' => 'recoverable',
        'path' => "$.line_items[$one[0]]",
    ], $cart['missing']);
    return new WP_REST_Response([
        'ucp' => aisle_ucp('cart'),
        'id' => $cart['id'],
        'line_items' => $lines,
        'currency' => $currency,
        'totals' => [$total('subtotal', $sum), $total('total', $sum)],
        'messages' => $messages,
        'continue_url' => aisle_cart_url($cart),
        'expires_at' => gmdate('Y-m-d\TH:i:s\Z', $cart['expires']),
    ], $status);
}

/** Where the buyer finds the cart filled: a checkout link of WooCommerce 10, before that one of ours. */
function aisle_cart_url(array $cart): string
{
    $items = array_map(fn ($item) => $item['product'] . ':' . $item['quantity'], $cart['items']);
    $hasLinks = version_compare(WC()->version, '10.0', '>=');
    return add_query_arg(
        array_map('rawurlencode', $cart['marks'])
            + ($hasLinks ? ['products' => implode(',', $items)] : ['aisle_cart' => $cart['id']]),
        home_url($hasLinks ? '/checkout-link/' : '/')
    );
}

// As a checkout link does it: the buyer's cart is the one of the link.
add_action('template_redirect', function () {
    // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- A link from outside, into the visitor's own cart.
    $id = sanitize_key(wp_unslash($_GET['aisle_cart'] ?? ''));
    $cart = $id === '' ? false : get_transient(aisle_cart_name($id));
    if (!is_array($cart)) {
        return;
    }
    WC()->cart->empty_cart();
    foreach ($cart['items'] as $item) {
        WC()->cart->add_to_cart($item['product'], $item['quantity']);
    }
    wp_safe_redirect(add_query_arg(array_map('rawurlencode', $cart['marks']), wc_get_checkout_url()));
    exit;
});
