<?php

// Stands for WordPress, WooCommerce and WooCommerce Subscriptions, as far as orders call them.

define('ABSPATH', __DIR__);
define('HOUR_IN_SECONDS', 3600);

$hooks = [];
$orders = [];
$queued = [];
$again = [];
$options = [];

function add_filter($name, $called, $priority = 10, $accepted = 1)
{
    $GLOBALS['hooks'][$name][] = [$called, $accepted];
}

function add_action(...$hook)
{
    add_filter(...$hook);
}

function apply_filters($name, $value, ...$others)
{
    foreach ($GLOBALS['hooks'][$name] ?? [] as [$called, $accepted]) {
        $value = $called(...array_slice([$value, ...$others], 0, $accepted));
    }
    return $value;
}

function do_action($name, ...$given)
{
    foreach ($GLOBALS['hooks'][$name] ?? [] as [$called, $accepted]) {
        $called(...array_slice($given, 0, $accepted));
    }
}

class Order
{
    public $meta = [];
    private $id;
    private $createdVia;

    public function __construct($createdVia)
    {
        $this->createdVia = $createdVia;
        $this->id = count($GLOBALS['orders']) + 1;
        $GLOBALS['orders'][$this->id] = $this;
    }

    public function get_id()
    {
        return $this->id;
    }

    public function get_created_via()
    {
        return $this->createdVia;
    }

    public function get_meta($key)
    {
        return $this->meta[$key] ?? '';
    }

    public function update_meta_data($key, $value)
    {
        $this->meta[$key] = $value;
    }

    public function get_date_created()
    {
        return new DateTime();
    }

    public function get_date_paid()
    {
        return null;
    }

    public function get_currency()
    {
        return 'USD';
    }

    public function get_total()
    {
        return '12.50';
    }

    public function save()
    {
    }
}

function wc_get_order($id)
{
    return $GLOBALS['orders'][$id] ?? false;
}

function as_enqueue_async_action($hook, $given)
{
    $GLOBALS['queued'][] = $given;
}

function as_schedule_single_action($at, $hook, $given)
{
    $GLOBALS['again'][] = $at - time();
}

function wp_unslash($value)
{
    return is_string($value) ? stripslashes($value) : $value;
}

function sanitize_text_field($text)
{
    return is_string($text) ? trim(strip_tags($text)) : '';
}

function update_option($name, $value)
{
    $GLOBALS['options'][$name] = $value;
}

function aisle_settings()
{
    return ['property' => 'prop_0123456789abcdefghij', 'domain' => 'shop.example'];
}

function aisle_call()
{
    return $GLOBALS['answer'];
}

function wc_get_logger()
{
    return new class {
        public function error()
        {
        }
    };
}

function place_order()
{
    $order = new Order('checkout');
    do_action('woocommerce_checkout_create_order', $order);
    return $order;
}

function pay($order)
{
    do_action('woocommerce_order_status_processing', $order->get_id());
    do_action('woocommerce_order_status_completed', $order->get_id());
}

// As WC_Subscriptions_Data_Copier does it:
// https://github.com/Automattic/woocommerce-subscriptions-core/blob/trunk/includes/class-wc-subscriptions-data-copier.php
function copy_meta($from, $to, $type)
{
    $data = apply_filters('wc_subscriptions_object_data', $from->meta, $to, $from, $type);
    foreach ($data as $key => $value) {
        $to->update_meta_data($key, $value);
    }
    return $to;
}

function subscribe($order)
{
    return copy_meta($order, new Order('checkout'), 'subscription');
}

function renew($subscription)
{
    return copy_meta($subscription, new Order('subscription'), 'renewal_order');
}
