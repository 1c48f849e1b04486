<?php
/**
 * Plugin Name: Aisle
 * Description: Joins orders to the visits that AI surfaces brought.
 *
 * The key is in wp-config.php: define('AISLE_KEY', 'aisle_live_…');
 */
defined('ABSPATH') || exit;

add_action('wp_head', function () { ?>
<script async src="https://aisle.example/attribution.js?id=prop_0123456789abcdefghij"></script>
<?php readfile(__DIR__ . '/aisle-visit.html'); }, 1);

// Both checkouts: the classic one, and the block.
add_action('woocommerce_checkout_create_order', 'aisle_keep_visit');
add_action('woocommerce_store_api_checkout_update_order_meta', function ($order) {
    aisle_keep_visit($order);
    $order->save();
});

function aisle_keep_visit($order)
{
    $visit = $_COOKIE['aisle_visit'] ?? '';
    if (is_string($visit) && preg_match('/^[\w-]{8,64}$/D', $visit)) {
        $order->update_meta_data('_aisle_visit', $visit);
    }
}

// WooCommerce Subscriptions copies what an order holds to its subscription, and from there to each renewal.
add_filter('wc_subscriptions_object_data', function ($data) {
    unset($data['_aisle_visit'], $data['_aisle_queued']);
    return $data;
});

// Paid, by whichever way. The report is a background action, so that no buyer waits for it.
add_action('woocommerce_order_status_processing', 'aisle_queue_order');
add_action('woocommerce_order_status_completed', 'aisle_queue_order');

function aisle_queue_order($order_id)
{
    $order = wc_get_order($order_id);
    if (!$order || $order->get_meta('_aisle_queued')) {
        return;
    }
    if (!$order->get_meta('_aisle_visit') && !aisle_agent_of($order)) {
        return;
    }
    // Renewals of a subscription that got the visit before the filter above was there.
    if ($order->get_created_via() === 'subscription') {
        return;
    }
    $order->update_meta_data('_aisle_queued', '1');
    $order->save();
    as_enqueue_async_action('aisle_report_order', [$order->get_id(), 0], 'aisle');
}

add_action('aisle_report_order', 'aisle_report_order', 10, 2);

function aisle_report_order($order_id, $tries)
{
    $order = wc_get_order($order_id);
    if (!$order) {
        return;
    }
    $answer = wp_remote_post('https://aisle.example/api/report', [
        'timeout' => 10,
        'redirection' => 0,
        'headers' => [
            'Authorization' => 'Bearer ' . AISLE_KEY,
            'Content-Type' => 'application/json',
        ],
        'body' => wp_json_encode(aisle_event_of($order) + ['domain' => 'shop.example', 'source' => 'web']),
    ]);
    $status = (int) wp_remote_retrieve_response_code($answer);
    if ($status >= 200 && $status < 300) {
        return;
    }
    // No answer, too much work, or a fault of Aisle: again after 1, 5, 25, … minutes. It counts once.
    if (($status === 0 || $status === 429 || $status >= 500) && $tries < 6) {
        $again = time() + 60 * 5 ** $tries;
        as_schedule_single_action($again, 'aisle_report_order', [$order_id, $tries + 1], 'aisle');
        return;
    }
    wc_get_logger()->error("Order $order_id was not reported: HTTP $status " . wp_remote_retrieve_body($answer), ['source' => 'aisle']);
}

// A refund, in a background action as well. Orders that were not reported have none to report.
add_action('woocommerce_order_refunded', function ($order_id, $refund_id) {
    $order = wc_get_order($order_id);
    if ($order && $order->get_meta('_aisle_queued')) {
        as_enqueue_async_action('aisle_report_order', [$refund_id, 0], 'aisle');
    }
}, 10, 2);

/** What an order or a refund is reported as. */
function aisle_event_of($order)
{
    $made = $order->get_date_created();
    $amount = fn ($total) => [
        'value' => aisle_smallest_unit($total, $order->get_currency()),
        'currency' => $order->get_currency(),
    ];
    if ($order->get_type() === 'shop_order_refund') {
        return [
            'event' => 'ai_order_refunded',
            'session_id' => (string) $order->get_parent_id(),
            'timestamp' => gmdate('c', $made->getTimestamp()),
            'properties' => ['refund_id' => (string) $order->get_id()] + $amount($order->get_amount()),
        ];
    }
    $agent = aisle_agent_of($order);
    return [
        'event' => 'ai_checkout_completed',
        'session_id' => (string) $order->get_id(),
        'timestamp' => gmdate('c', ($order->get_date_paid() ?: $made)->getTimestamp()),
        'properties' => ['ordered_at' => gmdate('c', $made->getTimestamp())]
            + ($order->get_meta('_aisle_visit') ? ['visit_id' => $order->get_meta('_aisle_visit')] : [])
            + ($agent ? ['attribution' => ['utm_source' => $agent]] : [])
            + $amount($order->get_total()),
    ] + ($agent ? ['source' => 'ucp'] : []);
}

/**
 * The host that an agent is known by, where an order was placed over UCP: AI Storefront for
 * WooCommerce writes it into the attribution of the order.
 */
function aisle_agent_of($order)
{
    $isOfAgent = $order->get_meta('_wc_order_attribution_utm_id') === 'woo_ucp';
    return $isOfAgent ? $order->get_meta('_wc_order_attribution_utm_source') : '';
}

/** 49.99 USD is 4999; the decimals are those of ISO 4217, whatever the shop displays. */
function aisle_smallest_unit($amount, $currency)
{
    $none = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
    $three = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
    $decimals = in_array($currency, $none, true) ? 0 : (in_array($currency, $three, true) ? 3 : 2);
    return (int) round((float) $amount * 10 ** $decimals);
}
