<?php
/**
 * Plugin Name: Aisle for WooCommerce
 * Description: Shows whether AI assistants can buy from your store, and which orders they bring.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 11.0
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: aisle
 */
defined('ABSPATH') || exit;

const AISLE_VERSION = '0.1.0';

/** What is set on the page "Aisle", and what the service says of the property. */
function aisle_settings(): array
{
    $stored = get_option('aisle_settings');
    return (is_array($stored) ? $stored : []) + [
        'url' => '',
        'key' => '',
        'domain' => aisle_own_domain(),
        'property' => '',
        'lookback_days' => 1,
        'consent' => 'auto',
        'profile' => true,
    ];
}

/** The host of the shop, as Aisle names it: a shop on one's own machine by its port. */
function aisle_own_domain(): string
{
    $home = wp_parse_url(home_url());
    $host = (string) ($home['host'] ?? '');
    $isLocal = in_array($host, ['localhost', '127.0.0.1'], true) && ($home['scheme'] ?? '') === 'http';
    return $isLocal ? 'localhost-' . ($home['port'] ?? 80) . '.test' : $host;
}

// Orders may be in tables of their own (HPOS): everything here goes through wc_get_order().
add_action('before_woocommerce_init', function () {
    foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, __FILE__);
    }
});

add_action('plugins_loaded', function () {
    if (!class_exists('WooCommerce')) {
        return;
    }
    foreach (['service', 'tag', 'orders', 'products', 'carts', 'profile'] as $part) {
        require __DIR__ . "/includes/$part.php";
    }
    if (is_admin()) {
        require __DIR__ . '/includes/admin.php';
    }
});
