<?php
defined('ABSPATH') || exit;

// The catalog of UCP, read from the Store API of the shop: what any visitor may see.
add_action('rest_api_init', function () {
    $routes = [
        'search' => 'aisle_search',
        'lookup' => 'aisle_lookup',
        'product' => 'aisle_product',
    ];
    foreach ($routes as $name => $answer) {
        register_rest_route('aisle', "/ucp/catalog/$name", [
            'methods' => 'POST',
            'permission_callback' => '__return_true',
            'callback' => $answer,
        ]);
    }
});

const AISLE_MOST_IDS = 50;

function aisle_search(WP_REST_Request $request): WP_REST_Response
{
    $query = $request['query'];
    $filters = $request['filters'];
    if (!is_string($query) && !is_array($filters)) {
        return aisle_refuse(400, 'invalid', 'Send a query, filters, or both.');
    }
    $limit = min(max((int) ($request['pagination']['limit'] ?? 10), 1), 50);
    $page = max((int) ($request['pagination']['cursor'] ?? 1), 1);
    $price = is_array($filters['price'] ?? null) ? $filters['price'] : [];
    $found = aisle_store_api('products', array_filter([
        'search' => is_string($query) ? mb_substr($query, 0, 200) : '',
        'page' => $page,
        'per_page' => $limit,
        'min_price' => (string) ($price['min'] ?? ''),
        'max_price' => (string) ($price['max'] ?? ''),
        'category' => implode(',', array_map('sanitize_title', array_filter((array) ($filters['categories'] ?? []), 'is_string'))),
    ], fn ($value) => $value !== ''));
    $hasNext = $page < $found['pages'];
    return new WP_REST_Response([
        'ucp' => aisle_ucp('catalog.search'),
        'products' => array_values(array_filter(array_map('aisle_product_of', $found['items'], aisle_variations_of($found['items'])))),
        'pagination' => ['has_next_page' => $hasNext, 'total_count' => $found['total']]
            + ($hasNext ? ['cursor' => (string) ($page + 1)] : []),
    ]);
}

function aisle_lookup(WP_REST_Request $request): WP_REST_Response
{
    $ids = array_values(array_unique(array_filter((array) $request['ids'], 'is_scalar')));
    if (!$ids) {
        return aisle_refuse(400, 'invalid', 'Send the ids of products or variants as "ids".');
    }
    if (count($ids) > AISLE_MOST_IDS) {
        return aisle_refuse(400, 'request_too_large', 'Send at most ' . AISLE_MOST_IDS . ' ids.');
    }
    $asked = [];
    foreach ($ids as $id) {
        $product = aisle_sold((string) $id);
        if ($product) {
            $asked[$product->get_parent_id() ?: $product->get_id()][] = (string) $id;
        }
    }
    $items = $asked ? aisle_store_api('products', ['include' => array_keys($asked), 'per_page' => 100])['items'] : [];
    $products = [];
    foreach (array_map('aisle_product_of', $items, aisle_variations_of($items)) as $product) {
        $variants = [];
        foreach ($asked[(int) ($product['id'] ?? 0)] ?? [] as $id) {
            foreach ($product['variants'] as $index => $variant) {
                $isExact = $variant['id'] === $id;
                // The product itself was asked for: the first of its variants stands for it.
                if ($isExact || ($id === $product['id'] && $index === 0)) {
                    $variants[$variant['id']] = $variants[$variant['id']] ?? $variant;
                    $variants[$variant['id']]['inputs'][] = ['id' => $id, 'match' => $isExact ? 'exact' : 'featured'];
                }
            }
        }
        if ($variants) {
            $products[] = ['variants' => array_values($variants)] + $product;
        }
    }
    return new WP_REST_Response(['ucp' => aisle_ucp('catalog.lookup'), 'products' => $products]);
}

function aisle_product(WP_REST_Request $request): WP_REST_Response
{
    $id = is_scalar($request['id']) ? (string) $request['id'] : '';
    $sold = aisle_sold($id);
    $parent = $sold ? ($sold->get_parent_id() ?: $sold->get_id()) : 0;
    $items = $parent ? aisle_store_api('products', ['include' => [$parent]])['items'] : [];
    $product = $items ? aisle_product_of($items[0], aisle_variations_of($items)[0]) : null;
    if (!$product) {
        return aisle_refuse(200, 'not_found', "There is no product \"$id\".");
    }
    $selected = array_filter((array) $request['selected'], 'is_array');
    $matching = fn ($variant) => count(array_filter(
        $selected,
        fn ($option) => in_array($option, $variant['options'] ?? [])
    )) + ($variant['id'] === $id ? 100 : 0);
    usort($product['variants'], fn ($a, $b) => $matching($b) <=> $matching($a));
    return new WP_REST_Response([
        'ucp' => aisle_ucp('catalog.lookup'),
        'product' => $product + ($selected ? ['selected' => array_values($selected)] : []),
    ]);
}

/** What the shop sells under an id, or null: a product that is not published is none. */
function aisle_sold(string $id): ?WC_Product
{
    $product = ctype_digit($id) ? wc_get_product((int) $id) : null;
    $owner = $product && $product->get_parent_id() ? wc_get_product($product->get_parent_id()) : $product;
    return $product && $owner && $owner->get_status() === 'publish' && $product->get_status() === 'publish' && !post_password_required($owner->get_id())
        ? $product
        : null;
}

/** @return array{items: array, total: int, pages: int} */
function aisle_store_api(string $route, array $parameters): array
{
    $request = new WP_REST_Request('GET', "/wc/store/v1/$route");
    $request->set_query_params($parameters);
    $answer = rest_do_request($request);
    $headers = $answer->get_headers();
    return [
        // As JSON says it: what the Store API gives is objects in part.
        'items' => $answer->is_error() ? [] : (array) json_decode(wp_json_encode($answer->get_data()), true),
        'total' => (int) ($headers['X-WP-Total'] ?? 0),
        'pages' => (int) ($headers['X-WP-TotalPages'] ?? 0),
    ];
}

/** The variations of each item, in one request. */
function aisle_variations_of(array $items): array
{
    $parents = array_column(array_filter($items, fn ($item) => ($item['type'] ?? '') === 'variable'), 'id');
    $found = [];
    for ($page = 1; $parents && $page <= 10; $page++) {
        $part = aisle_store_api('products', ['type' => 'variation', 'parent' => $parents, 'per_page' => 100, 'page' => $page]);
        foreach ($part['items'] as $variation) {
            $found[$variation['parent']][] = $variation;
        }
        if ($page >= $part['pages']) {
            break;
        }
    }
    return array_map(fn ($item) => $found[$item['id']] ?? [], $items);
}

/** A product of the Store API as UCP has it, or null where nobody can buy it. */
function aisle_product_of(array $item, array $variations): ?array
{
    $sold = $variations ?: [$item];
    // A variation seldom has a text of its own.
    $text = aisle_plain($item['description'] ?: $item['short_description'] ?: $item['name']);
    $variants = array_map(fn ($each) => aisle_variant_of($each, $text), $sold);
    $amounts = array_map(fn ($variant) => $variant['price']['amount'], $variants);
    if (!$amounts || !($item['is_purchasable'] ?? false)) {
        return null;
    }
    $currency = $item['prices']['currency_code'];
    return [
        'id' => (string) $item['id'],
        'title' => aisle_plain($item['name']),
        'description' => ['plain' => $text],
        'url' => $item['permalink'],
        'price_range' => [
            'min' => ['amount' => min($amounts), 'currency' => $currency],
            'max' => ['amount' => max($amounts), 'currency' => $currency],
        ],
        'variants' => $variants,
    ] + array_filter([
        'categories' => array_map(fn ($category) => ['value' => aisle_plain($category['name'])], $item['categories']),
        'media' => aisle_media_of($item),
    ]);
}

function aisle_variant_of(array $item, string $text): array
{
    $prices = $item['prices'];
    $options = [];
    foreach (array_filter(explode(',', (string) ($item['variation'] ?? ''))) as $pair) {
        [$name, $label] = array_map('trim', explode(':', $pair, 2)) + [1 => ''];
        $options[] = ['name' => aisle_plain($name), 'label' => aisle_plain($label)];
    }
    $labels = array_filter(array_column($options, 'label'));
    $inStock = !empty($item['is_in_stock']) && !empty($item['is_purchasable']);
    $status = !empty($item['is_on_backorder']) ? 'backorder' : ($inStock ? 'in_stock' : 'out_of_stock');
    return [
        'id' => (string) $item['id'],
        'title' => aisle_plain($item['name']) . ($labels ? ' - ' . implode(', ', $labels) : ''),
        'description' => ['plain' => aisle_plain($item['description']) ?: $text],
        'url' => $item['permalink'],
        'price' => aisle_price($prices['price'], $prices),
        'availability' => ['available' => $inStock, 'status' => $status],
    ] + array_filter([
        'sku' => (string) $item['sku'],
        'options' => $options,
        'list_price' => !empty($item['on_sale']) ? aisle_price($prices['regular_price'], $prices) : null,
        'media' => aisle_media_of($item),
    ]);
}

/** The Store API counts in the decimals that the shop displays, UCP in those of ISO 4217. */
function aisle_price($amount, array $prices): array
{
    $currency = $prices['currency_code'];
    $shift = aisle_decimals($currency) - (int) $prices['currency_minor_unit'];
    return ['amount' => (int) round((float) $amount * 10 ** $shift), 'currency' => $currency];
}

function aisle_media_of(array $item): array
{
    return array_map(
        fn ($image) => ['type' => 'image', 'url' => $image['src']],
        array_slice($item['images'] ?? [], 0, 10)
    );
}

function aisle_plain(string $html): string
{
    return trim(html_entity_decode(wp_strip_all_tags($html), ENT_QUOTES | ENT_HTML5, 'UTF-8'));
}
