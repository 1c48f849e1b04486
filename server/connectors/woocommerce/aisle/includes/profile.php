<?php
defined('ABSPATH') || exit;

const AISLE_UCP = '2026-04-08';

// Late, so that a plugin that sells over UCP itself answers first.
add_action('parse_request', function () {
    $path = wp_parse_url(sanitize_text_field(wp_unslash($_SERVER['REQUEST_URI'] ?? '')), PHP_URL_PATH);
    // At the root of the host, wherever WordPress is: agents look nowhere else.
    if ($path !== '/.well-known/ucp' || !aisle_settings()['profile']) {
        return;
    }
    status_header(200);
    header('Content-Type: application/json');
    header('Cache-Control: public, max-age=3600');
    header('Access-Control-Allow-Origin: *');
    echo wp_json_encode(aisle_profile());
    exit;
}, 99);

/** The shop as agents find it: products to search, and a cart that a buyer checks out. */
function aisle_profile(): array
{
    $site = 'https://ucp.dev/' . AISLE_UCP;
    $capability = fn (string $spec, string $schema) => [[
        'version' => AISLE_UCP,
        'spec' => "$site/specification/$spec",
        'schema' => "$site/schemas/shopping/$schema.json",
    ]];
    return ['ucp' => [
        'version' => AISLE_UCP,
        'services' => ['dev.ucp.shopping' => [[
            'version' => AISLE_UCP,
            'transport' => 'rest',
            'endpoint' => untrailingslashit(rest_url('aisle/ucp')),
            'spec' => "$site/specification/overview",
            'schema' => "$site/services/shopping/rest.openapi.json",
        ]]],
        'capabilities' => [
            'dev.ucp.shopping.catalog.search' => $capability('catalog/search', 'catalog_search'),
            'dev.ucp.shopping.catalog.lookup' => $capability('catalog/lookup', 'catalog_lookup'),
            'dev.ucp.shopping.cart' => $capability('cart', 'cart'),
        ],
        'payment_handlers' => (object) [],
    ]];
}

/** What each answer says of the protocol. */
function aisle_ucp(string ...$capabilities): array
{
    $active = [];
    foreach ($capabilities as $name) {
        $active["dev.ucp.shopping.$name"] = [['version' => AISLE_UCP]];
    }
    return ['version' => AISLE_UCP, 'capabilities' => (object) $active, 'payment_handlers' => (object) []];
}

/** A refusal, as UCP says it. */
function aisle_refuse(int $status, string $code, string $content): WP_REST_Response
{
    return new WP_REST_Response([
        'code' => $code,
        'content' => $content,
        'ucp' => ['version' => AISLE_UCP, 'status' => 'error'],
        'messages' => [[
            'type' => 'error', 'code' => $code, 'content' => $content, 'severity' => 'unrecoverable',
        ]],
        'continue_url' => wc_get_page_permalink('shop'),
    ], $status);
}
