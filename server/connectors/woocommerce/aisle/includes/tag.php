<?php
defined('ABSPATH') || exit;

add_action('wp_head', function () {
    $settings = aisle_settings();
    if ($settings['property'] === '') {
        return;
    }
    wp_print_script_tag(array_filter([
        'async' => true,
        'src' => $settings['url'] . '/attribution.js?id=' . $settings['property'],
        'data-lookback' => $settings['lookback_days'] > 1 ? (string) $settings['lookback_days'] : '',
        'data-consent' => aisle_waits_for_consent($settings['consent']) ? 'required' : '',
    ]));
    $scripts = ['visit.js'];
    if ($settings['consent'] !== 'never') {
        $scripts[] = 'consent.js';
    }
    foreach ($scripts as $script) {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        wp_print_inline_script_tag((string) file_get_contents(dirname(__DIR__) . "/assets/$script"));
    }
}, 1);

/** Whether nothing is stored before the banner of the shop has an answer. */
function aisle_waits_for_consent(string $consent): bool
{
    // Of WP Consent API, Complianz, CookieYes and Cookiebot, in this order.
    $hasBanner = function_exists('wp_has_consent') || function_exists('cmplz_has_consent')
        || defined('CKY_VERSION') || defined('CYBOT_COOKIEBOT_VERSION');
    return $consent === 'always' || ($consent === 'auto' && $hasBanner);
}
