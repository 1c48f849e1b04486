<?php
require __DIR__ . '/load.php';

// Does what the second argument says, then what waits in the background. Prints what still waits.
$order = wc_get_orders(['limit' => 1, 'type' => 'shop_order', 'orderby' => 'ID', 'order' => 'DESC'])[0] ?? null;
if (($argv[2] ?? '') === 'refund') {
    wc_create_refund(['order_id' => $order->get_id(), 'amount' => '5.00']);
}
if (($argv[2] ?? '') === 'retry') {
    // The time to wait is over.
    global $wpdb;
    $wpdb->query("UPDATE {$wpdb->prefix}actionscheduler_actions SET scheduled_date_gmt = '2020-01-01 00:00:00' WHERE hook = 'aisle_report' AND status = 'pending'");
}
if (($argv[2] ?? '') === 'uninstall') {
    deactivate_plugins('aisle/aisle.php');
    uninstall_plugin('aisle/aisle.php');
    $left = $wpdb->get_col("SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%aisle%'");
    echo json_encode(array_values($left));
    exit;
}
ActionScheduler_QueueRunner::instance()->run();
$waiting = as_get_scheduled_actions(['group' => 'aisle', 'status' => 'pending', 'per_page' => 50], 'ids');
$problem = get_option('aisle_problem', '');
echo json_encode(['waiting' => count($waiting), 'problem' => $problem, 'visit' => $order ? (string) $order->get_meta('_aisle_visit') : '']);
