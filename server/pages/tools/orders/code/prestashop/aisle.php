<?php

if (!defined('_PS_VERSION_')) {
    exit;
}

class Aisle extends Module
{
    public function __construct()
    {
        $this->name = 'aisle';
        $this->tab = 'analytics_stats';
        $this->version = '1.0.0';
        $this->author = 'shop.example';
        parent::__construct();
        $this->displayName = 'Aisle';
        $this->description = 'Joins orders to the visits that AI surfaces brought.';
        $this->ps_versions_compliancy = ['min' => '8.0.0', 'max' => _PS_VERSION_];
    }

    public function install()
    {
        return parent::install()
            && Db::getInstance()->execute('CREATE TABLE IF NOT EXISTS `' . _DB_PREFIX_ . 'aisle_visit` (
                `id_cart` INT UNSIGNED NOT NULL PRIMARY KEY,
                `visit_id` VARCHAR(64) NOT NULL,
                `id_order` INT UNSIGNED NULL,
                `tries` TINYINT UNSIGNED NOT NULL DEFAULT 0,
                `is_reported` TINYINT UNSIGNED NOT NULL DEFAULT 0
            ) DEFAULT CHARSET=utf8mb4')
            && $this->registerHook(['displayHeader', 'actionCartSave', 'actionPaymentConfirmation']);
    }

    public function hookDisplayHeader()
    {
        return '<script async src="https://aisle.example/attribution.js?id=prop_0123456789abcdefghij"></script>'
            . file_get_contents(__DIR__ . '/aisle-visit.html');
    }

    /** In the buyer's own request: a payment may be confirmed in another, which has no cookie. */
    public function hookActionCartSave($params)
    {
        $cart = (int) ($params['cart']->id ?? 0);
        $visit = $_COOKIE['aisle_visit'] ?? '';
        if ($cart && is_string($visit) && preg_match('/^[\w-]{8,64}$/D', $visit)) {
            Db::getInstance()->execute('INSERT INTO `' . _DB_PREFIX_ . 'aisle_visit` (`id_cart`, `visit_id`)
                VALUES (' . $cart . ", '" . pSQL($visit) . "')
                ON DUPLICATE KEY UPDATE `visit_id` = VALUES(`visit_id`)");
        } elseif ($cart && $cart === (int) ($this->context->cookie->id_cart ?? 0)) {
            // The buyer's own browser has no visit any more: its day is over, or they withdrew consent.
            Db::getInstance()->execute('DELETE FROM `' . _DB_PREFIX_ . 'aisle_visit`
                WHERE `id_order` IS NULL AND `id_cart` = ' . $cart);
        }
    }

    public function hookActionPaymentConfirmation($params)
    {
        $order = new Order((int) $params['id_order']);
        Db::getInstance()->execute('UPDATE `' . _DB_PREFIX_ . 'aisle_visit`
            SET `id_order` = ' . (int) $order->id . ' WHERE `id_cart` = ' . (int) $order->id_cart);
        register_shutdown_function([$this, 'reportOrders']);
    }

    /** What is paid and not reported yet, also of earlier failures. An order counts once. */
    public function reportOrders()
    {
        // The buyer has the answer first.
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        $table = '`' . _DB_PREFIX_ . 'aisle_visit`';
        $rows = Db::getInstance()->executeS("SELECT * FROM $table
            WHERE `id_order` IS NOT NULL AND `is_reported` = 0 AND `tries` < 10 ORDER BY `tries` LIMIT 5") ?: [];
        foreach ($rows as $row) {
            $status = $this->report(new Order((int) $row['id_order']), $row['visit_id']);
            $isDone = ($status >= 200 && $status < 300) ? 1 : 0;
            Db::getInstance()->execute("UPDATE $table SET `tries` = `tries` + 1, `is_reported` = $isDone
                WHERE `id_cart` = " . (int) $row['id_cart']);
            if (!$isDone) {
                PrestaShopLogger::addLog("Aisle: order {$row['id_order']} was not reported, HTTP $status", 2);
                return;
            }
        }
    }

    private function report(Order $order, $visit)
    {
        $currency = (new Currency((int) $order->id_currency))->iso_code;
        // A cart may become several orders, of one reference.
        $total = 0;
        foreach (Order::getByReference($order->reference) as $part) {
            $total += (float) $part->total_paid_tax_incl;
        }
        $request = curl_init('https://aisle.example/api/report');
        curl_setopt_array($request, [
            CURLOPT_POST => true,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 5,
            CURLOPT_HTTPHEADER => [
                // In config/defines_custom.inc.php: define('AISLE_KEY', 'aisle_live_…');
                'Authorization: Bearer ' . AISLE_KEY,
                'Content-Type: application/json',
            ],
            CURLOPT_POSTFIELDS => json_encode([
                'event' => 'ai_checkout_completed',
                'domain' => 'shop.example',
                'source' => 'web',
                'session_id' => $order->reference,
                // Not of this try, which may come days later.
                'timestamp' => gmdate('c', strtotime($order->date_add)),
                'properties' => [
                    'visit_id' => $visit,
                    'value' => $this->inSmallestUnit($total, $currency),
                    'currency' => $currency,
                ],
            ]),
        ]);
        curl_exec($request);
        return (int) curl_getinfo($request, CURLINFO_RESPONSE_CODE);
    }

    /** 49.99 USD is 4999, by the decimals of ISO 4217. */
    private function inSmallestUnit($amount, $currency)
    {
        $none = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
        $three = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
        $decimals = in_array($currency, $none, true) ? 0 : (in_array($currency, $three, true) ? 3 : 2);
        return (int) round((float) $amount * 10 ** $decimals);
    }
}
