<?php
defined('ABSPATH') || exit;

// The page WooCommerce, Aisle: connect, then score, gaps and what AI brought.
add_action('admin_menu', function () {
    add_submenu_page('woocommerce', 'Aisle', 'Aisle', 'manage_woocommerce', 'aisle', 'aisle_page');
});

add_filter('plugin_action_links_aisle/aisle.php', function ($links) {
    $page = esc_url(admin_url('admin.php?page=aisle'));
    return [...$links, "<a href=\"$page\">" . esc_html__('Settings', 'aisle') . '</a>'];
});

// What keeps orders from being reported is said where the merchant is.
add_action('admin_notices', function () {
    $problem = get_option('aisle_problem');
    if (is_string($problem) && $problem !== '' && current_user_can('manage_woocommerce')) {
        /* translators: %s: reason */
        aisle_notice('error', sprintf(__('Aisle could not take an order yet, and is tried again: %s', 'aisle'), $problem));
    }
});

function aisle_notice(string $kind, string $text): void
{
    printf('<div class="notice notice-%s"><p>%s</p></div>', esc_attr($kind), esc_html($text));
}

add_action('admin_post_aisle_save', function () {
    if (!current_user_can('manage_woocommerce')) {
        wp_die(esc_html__('You may not change these settings.', 'aisle'), '', ['response' => 403]);
    }
    check_admin_referer('aisle_save');
    $said = fn (string $name) => sanitize_text_field(wp_unslash($_POST[$name] ?? ''));
    $settings = aisle_settings();
    if ($said('disconnect') !== '') {
        delete_option('aisle_settings');
        delete_option('aisle_problem');
        aisle_back('disconnected');
    }
    $settings['url'] = esc_url_raw($said('url'));
    // The key that is kept is never shown: an empty field leaves it as it is.
    $settings['key'] = $said('key') !== '' ? $said('key') : $settings['key'];
    $settings['domain'] = strtolower($said('domain')) ?: aisle_own_domain();
    $settings['consent'] = in_array($said('consent'), ['auto', 'always', 'never'], true) ? $said('consent') : 'auto';
    $settings['profile'] = $said('profile') !== '';
    $connected = aisle_connect($settings);
    if (is_wp_error($connected)) {
        // What was typed stays, so that one field can be corrected.
        set_transient('aisle_tried', ['problem' => $connected->get_error_message(), 'settings' => $settings], 5 * MINUTE_IN_SECONDS);
        aisle_back('failed');
    }
    update_option('aisle_settings', $connected);
    delete_option('aisle_problem');
    delete_transient('aisle_overview');
    aisle_back('connected');
});

function aisle_back(string $outcome): void
{
    wp_safe_redirect(admin_url("admin.php?page=aisle&outcome=$outcome"));
    exit;
}

function aisle_page(): void
{
    $settings = aisle_settings();
    $isConnected = $settings['property'] !== '';
    $tried = get_transient('aisle_tried');
    delete_transient('aisle_tried');
    echo '<div class="wrap"><h1>Aisle</h1>';
    if (is_array($tried)) {
        aisle_notice('error', $tried['problem']);
        $settings = $tried['settings'] + $settings;
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- It changes nothing but a notice.
    } elseif (sanitize_key($_GET['outcome'] ?? '') === 'connected') {
        aisle_notice('success', __('Connected. The tag is in your pages, and orders from AI are reported.', 'aisle'));
    }
    if ($isConnected) {
        // Read after the page is there: a service that is away keeps nobody waiting.
        $source = esc_url(admin_url('admin-ajax.php?action=aisle_overview&_wpnonce=' . wp_create_nonce('aisle_overview')));
        echo '<div id="aisle-overview" aria-live="polite"><p>' . esc_html__('Asking Aisle …', 'aisle') . '</p></div>';
        wp_print_inline_script_tag(
            'fetch(' . wp_json_encode(html_entity_decode($source)) . ").then((a) => a.text()).then((html) => {
                document.getElementById('aisle-overview').innerHTML = html })"
        );
    } else {
        echo '<p>' . esc_html__('Aisle says whether AI assistants can find your products and buy them, and which orders they bring. It needs its address and a key, which you create on the page "Keys" of your Aisle for the purpose "For a plugin in a store".', 'aisle') . '</p>';
    }
    aisle_form($settings, $isConnected);
    echo '</div>';
}

function aisle_form(array $settings, bool $isConnected): void
{
    $field = function (string $name, string $label, string $input, string $help): void {
        printf(
            '<tr><th scope="row"><label for="aisle-%1$s">%2$s</label></th><td>%3$s<p class="description">%4$s</p></td></tr>',
            esc_attr($name),
            esc_html($label),
            $input, // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped below
            esc_html($help)
        );
    };
    $text = fn (string $name, string $type, string $more) => sprintf(
        '<input class="regular-text" id="aisle-%1$s" name="%1$s" type="%2$s" value="%3$s" %4$s>',
        esc_attr($name),
        esc_attr($type),
        esc_attr($name === 'key' ? '' : $settings[$name]),
        $more
    );
    echo '<h2>' . esc_html($isConnected ? __('Settings', 'aisle') : __('Connect', 'aisle')) . '</h2>';
    echo '<form method="post" action="' . esc_url(admin_url('admin-post.php')) . '">';
    echo '<input type="hidden" name="action" value="aisle_save">';
    wp_nonce_field('aisle_save');
    echo '<table class="form-table" role="presentation">';
    $field('url', __('Address', 'aisle'), $text('url', 'url', 'required placeholder="https://aisle.your-company.com"'), __('Where you sign in to Aisle.', 'aisle'));
    $field(
        'key',
        __('Key', 'aisle'),
        $text('key', 'password', 'autocomplete="off"' . ($settings['key'] === '' ? ' required' : '')),
        $settings['key'] === '' ? __('It begins with aisle_live_.', 'aisle') : __('A key is stored. Leave this empty to keep it.', 'aisle')
    );
    $field('domain', __('Domain', 'aisle'), $text('domain', 'text', 'required'), __('The name of your store in Aisle.', 'aisle'));
    $choices = [
        'auto' => __('Wait for the banner if the shop has one', 'aisle'),
        'always' => __('Always wait', 'aisle'),
        'never' => __('Do not wait: this shop needs no consent', 'aisle'),
    ];
    $select = '<select id="aisle-consent" name="consent">';
    foreach ($choices as $value => $label) {
        $select .= sprintf('<option value="%s"%s>%s</option>', esc_attr($value), selected($settings['consent'], $value, false), esc_html($label));
    }
    $field('consent', __('Consent', 'aisle'), "$select</select>", __('Until there is consent, nothing is stored in the browser. Known: WP Consent API, Complianz, CookieYes, Cookiebot, and Google consent mode.', 'aisle'));
    $field(
        'profile',
        __('For agents', 'aisle'),
        sprintf('<label><input type="checkbox" id="aisle-profile" name="profile" value="1"%s> %s</label>', checked($settings['profile'], true, false), esc_html__('Publish the products at /.well-known/ucp', 'aisle')),
        __('Assistants search your catalog there, and send a buyer to your checkout with the cart filled. Another plugin that sells over UCP answers before this one.', 'aisle')
    );
    echo '</table><p class="submit">';
    printf('<button class="button button-primary">%s</button> ', esc_html($isConnected ? __('Save', 'aisle') : __('Connect', 'aisle')));
    if ($isConnected) {
        printf('<button class="button" name="disconnect" value="1" formnovalidate>%s</button>', esc_html__('Disconnect', 'aisle'));
    }
    echo '</p></form>';
}

add_action('wp_ajax_aisle_overview', function () {
    if (!current_user_can('manage_woocommerce')) {
        wp_die('', '', ['response' => 403]);
    }
    check_ajax_referer('aisle_overview');
    $html = get_transient('aisle_overview');
    if (!is_string($html)) {
        $html = aisle_overview();
        // No longer: who sets it up waits for the first visit and order here.
        set_transient('aisle_overview', $html, MINUTE_IN_SECONDS);
    }
    echo $html; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped where it is made
    exit;
});

/** Score, gaps and revenue, as HTML. Everything in it that the service wrote is escaped. */
function aisle_overview(): string
{
    $settings = aisle_settings();
    $domain = $settings['domain'];
    $page = fn (string $path, string $label) => sprintf(
        '<a href="%s" target="_blank" rel="noopener">%s</a>',
        esc_url($settings['url'] . $path),
        esc_html($label)
    );
    // The newest result. Nothing is audited by looking at this page.
    $audit = aisle_call('POST', '/api/audit', ['domain' => $domain, 'dry_run' => true]);
    $html = '<h2>' . esc_html__('Can AI assistants buy here?', 'aisle') . '</h2>';
    if ($audit['problem'] !== '') {
        $isNew = aisle_text($audit['body'], 'error', 'code') === 'no_cached_audit';
        $text = $isNew ? __('This store has not been audited yet.', 'aisle') : $audit['problem'];
        $html .= '<p>' . esc_html($text) . ' ' . $page("/?domain=$domain", __('Audit it', 'aisle')) . '</p>';
    } else {
        /* translators: 1: score, 2: grade */
        $score = sprintf(__('%1$s of 100, grade %2$s', 'aisle'), aisle_text($audit['body'], 'score'), aisle_text($audit['body'], 'grade'));
        $html .= '<p style="font-size:1.6em">' . esc_html($score) . '</p>';
        $gaps = array_slice(aisle_list($audit['body'], 'gaps'), 0, 5);
        if ($gaps) {
            $html .= '<ol>';
            foreach ($gaps as $gap) {
                $points = (int) aisle_text($gap, 'points');
                /* translators: %d: points */
                $gain = $points > 0 ? ' ' . sprintf(__('(+%d points)', 'aisle'), $points) : '';
                $html .= '<li><strong>' . esc_html(aisle_text($gap, 'label')) . '</strong>' . esc_html($gain)
                    . '<br>' . esc_html(aisle_text($gap, 'fix')) . '</li>';
            }
            $html .= '</ol>';
        }
        $html .= '<p>' . $page("/audits/$domain", __('The whole audit', 'aisle')) . '</p>';
    }
    $report = aisle_call('GET', add_query_arg([
        'domain' => $domain,
        'start' => gmdate('Y-m-d', time() - 29 * DAY_IN_SECONDS),
        'end' => gmdate('Y-m-d'),
    ], '/api/report'));
    $html .= '<h2>' . esc_html__('From AI in the last 30 days', 'aisle') . '</h2>';
    if ($report['problem'] !== '') {
        return $html . '<p>' . esc_html($report['problem']) . '</p>';
    }
    $summary = aisle_list($report['body'], 'summary');
    $currency = aisle_text($summary, 'currency') ?: get_woocommerce_currency();
    $decimals = aisle_decimals($currency);
    $revenue = wc_price((float) aisle_text($summary, 'ai_revenue_cents') / 10 ** $decimals, ['currency' => $currency, 'decimals' => $decimals]);
    $figures = [
        __('Visits', 'aisle') => esc_html(aisle_text($summary, 'ai_sessions')),
        __('Orders', 'aisle') => esc_html(aisle_text($summary, 'ai_orders')),
        __('Revenue', 'aisle') => wp_kses_post($revenue),
    ];
    $html .= '<table class="widefat striped" style="max-width:30em"><tbody>';
    foreach ($figures as $label => $figure) {
        $html .= '<tr><th scope="row">' . esc_html($label) . "</th><td>$figure</td></tr>";
    }
    return "$html</tbody></table><p>" . $page("/report?domain=$domain", __('The whole report', 'aisle')) . '</p>';
}
