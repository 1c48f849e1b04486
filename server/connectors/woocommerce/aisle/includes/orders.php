<?php
defined('ABSPATH') || exit;

// Both checkouts: the classic one, and the block.
add_action('woocommerce_checkout_create_order', 'aisle_keep_visit');
add_action('woocommerce_store_api_checkout_update_order_meta', function ($order) {
    aisle_keep_visit($order);
    $order->save();
});

function aisle_keep_visit($order): void
{
    $visit = sanitize_text_field(wp_unslash($_COOKIE['aisle_visit'] ?? ''));
    if (preg_match('/^[\w-]{8,64}$/D', $visit)) {
        $order->update_meta_data('_aisle_visit', $visit);
    }
}

// WooCommerce Subscriptions copies what an order holds to its subscription, and from there to each renewal.
add_filter('wc_subscriptions_object_data', function ($data) {
    unset($data['_aisle_visit'], $data['_aisle_queued']);
    return $data;
});

// Paid, by whichever way, or refused. The report is a background action, so that no buyer waits for it.
add_action('woocommerce_order_status_processing', 'aisle_queue_order');
add_action('woocommerce_order_status_completed', 'aisle_queue_order');
add_action('woocommerce_order_status_failed', function ($order_id) {
    $order = wc_get_order($order_id);
    if ($order && aisle_is_of_ai($order)) {
        aisle_queue([$order_id, 'failed']);
    }
});

function aisle_queue_order($order_id): void
{
    $order = wc_get_order($order_id);
    if (!$order || $order->get_meta('_aisle_queued') || !aisle_is_of_ai($order)) {
        return;
    }
    $order->update_meta_data('_aisle_queued', '1');
    $order->save();
    aisle_queue([$order_id, 'paid']);
}

/** Whether AI brought it. Renewals of a subscription are not what a visit bought. */
function aisle_is_of_ai($order): bool
{
    return $order->get_created_via() !== 'subscription'
        && ($order->get_meta('_aisle_visit') || aisle_agent_of($order) !== '');
}

// Orders that were not reported have no refund to report.
add_action('woocommerce_order_refunded', function ($order_id, $refund_id) {
    $order = wc_get_order($order_id);
    if ($order && $order->get_meta('_aisle_queued')) {
        aisle_queue([$refund_id, 'refunded']);
    }
}, 10, 2);

function aisle_queue(array $what): void
{
    as_enqueue_async_action('aisle_report', [...$what, 0], 'aisle');
}

add_action('aisle_report', 'aisle_report', 10, 3);

/** Reports what became of an order. What Aisle cannot take now is tried again, for two days. */
function aisle_report($order_id, $what, $tries): void
{
    $order = wc_get_order($order_id);
    $settings = aisle_settings();
    if (!$order || $settings['property'] === '') {
        return;
    }
    $answer = aisle_call('POST', '/api/report', aisle_event_of($order, $what) + [
        'domain' => $settings['domain'],
        'source' => 'web',
    ]);
    if ($answer['problem'] === '') {
        delete_option('aisle_problem');
        return;
    }
    update_option('aisle_problem', $answer['problem'], false);
    // What the event itself is refused for, stays. All else passes, or somebody corrects the key.
    $isFinal = in_array($answer['status'], [400, 409, 413, 415, 422], true);
    // An event counts up to two days late: 11 tries after 1, 5, 25, 125 minutes, then every six hours.
    if (!$isFinal && $tries < 11) {
        $again = time() + min(60 * 5 ** $tries, 6 * HOUR_IN_SECONDS);
        as_schedule_single_action($again, 'aisle_report', [$order_id, $what, $tries + 1], 'aisle');
        return;
    }
    wc_get_logger()->error(
        "Order $order_id ($what) was not reported: {$answer['status']} {$answer['problem']}",
        ['source' => 'aisle']
    );
}

/** What an order or a refund is reported as. */
function aisle_event_of($order, string $what): array
{
    $made = gmdate('c', $order->get_date_created()->getTimestamp());
    $currency = $order->get_currency();
    $amount = fn ($total) => ['value' => aisle_smallest_unit($total, $currency), 'currency' => $currency];
    if ($what === 'refunded') {
        return [
            'event' => 'ai_order_refunded',
            'session_id' => (string) $order->get_parent_id(),
            'timestamp' => $made,
            'properties' => ['refund_id' => (string) $order->get_id()] + $amount($order->get_amount()),
        ];
    }
    $visit = $order->get_meta('_aisle_visit');
    $agent = aisle_agent_of($order);
    $paid = $order->get_date_paid();
    $outcome = $what === 'failed'
        ? ['event' => 'ai_checkout_failed', 'timestamp' => $made]
        : ['event' => 'ai_checkout_completed', 'timestamp' => $paid ? gmdate('c', $paid->getTimestamp()) : $made];
    return $outcome + [
        'session_id' => (string) $order->get_id(),
        'properties' => ($what === 'failed' ? ['reason' => 'payment_declined'] : ['ordered_at' => $made])
            + ($visit ? ['visit_id' => $visit] : [])
            + ($agent !== '' ? ['attribution' => ['utm_source' => $agent]] : [])
            + $amount($order->get_total()),
    ] + ($agent !== '' ? ['source' => 'ucp'] : []);
}

/**
 * The host that an agent is known by, where an order was placed over UCP: AI Storefront for
 * WooCommerce writes it into the attribution of the order.
 */
function aisle_agent_of($order): string
{
    $isOfAgent = $order->get_meta('_wc_order_attribution_utm_id') === 'woo_ucp';
    return $isOfAgent ? (string) $order->get_meta('_wc_order_attribution_utm_source') : '';
}

/** 49.99 USD is 4999; the decimals are those of ISO 4217, whatever the shop displays. */
function aisle_smallest_unit($amount, string $currency): int
{
    return (int) round((float) $amount * 10 ** aisle_decimals($currency));
}

function aisle_decimals(string $currency): int
{
    $none = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
    $three = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
    return in_array($currency, $none, true) ? 0 : (in_array($currency, $three, true) ? 3 : 2);
}
