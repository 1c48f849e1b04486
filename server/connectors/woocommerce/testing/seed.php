<?php
require __DIR__ . '/load.php';

// A shop with products and a checkout for guests.
WC_Install::create_pages();
update_option('permalink_structure', '/%postname%/');
flush_rewrite_rules();
foreach ([
    'woocommerce_default_country' => 'US:CO',
    'woocommerce_currency' => 'USD',
    'woocommerce_coming_soon' => 'no',
    'woocommerce_onboarding_profile' => ['skipped' => true],
    'woocommerce_enable_guest_checkout' => 'yes',
    'woocommerce_cod_settings' => ['enabled' => 'yes', 'title' => 'Cash on delivery'],
] as $name => $value) {
    update_option($name, $value);
}
wp_insert_post([
    'post_type' => 'page',
    'post_status' => 'publish',
    'post_name' => 'classic-checkout',
    'post_title' => 'Classic checkout',
    'post_content' => '[woocommerce_checkout]',
]);
$zone = new WC_Shipping_Zone();
$zone->set_zone_name('US');
$zone->add_location('US', 'country');
$zone->save();
$zone->add_shipping_method('free_shipping');

$mug = new WC_Product_Simple();
$mug->set_props(['name' => 'Trail Mug', 'sku' => 'MUG', 'regular_price' => '12.50', 'description' => 'Keeps tea hot on the ridge.']);
$mug->save();
$jacket = new WC_Product_Variable();
$size = new WC_Product_Attribute();
$size->set_name('Size');
$size->set_options(['S', 'L']);
$size->set_variation(true);
$jacket->set_props(['name' => 'Rain Jacket', 'sku' => 'JACKET', 'description' => 'Against wind and rain.', 'attributes' => [$size]]);
$jacket->save();
foreach (['S' => 10, 'L' => 0] as $name => $stock) {
    $variation = new WC_Product_Variation();
    $variation->set_props(['parent_id' => $jacket->get_id(), 'attributes' => ['size' => $name], 'sku' => "JACKET-$name", 'regular_price' => '179.00', 'manage_stock' => true, 'stock_quantity' => $stock]);
    $variation->save();
}
