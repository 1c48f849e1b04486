<?php
defined('WP_UNINSTALL_PLUGIN') || exit;

// Orders keep what they were reported with, as they keep their other notes: removing it would write to
// every order, and a plugin that comes back would report them twice.
foreach (['aisle_settings', 'aisle_problem'] as $option) {
    delete_option($option);
}
foreach (['aisle_overview', 'aisle_tried'] as $transient) {
    delete_transient($transient);
}
global $wpdb;
$wpdb->query("DELETE FROM {$wpdb->options} WHERE option_name LIKE '\\_transient\\_aisle\\_cart\\_%' OR option_name LIKE '\\_transient\\_timeout\\_aisle\\_cart\\_%'");
if (function_exists('as_unschedule_all_actions')) {
    as_unschedule_all_actions('', [], 'aisle');
}
