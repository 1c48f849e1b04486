<?php

namespace Aisle\Orders\Observer;

use Magento\Framework\App\ResourceConnection;
use Magento\Framework\Event\Observer;
use Magento\Framework\Event\ObserverInterface;
use Magento\Framework\Stdlib\CookieManagerInterface;
use Psr\Log\LoggerInterface;

/** Notes the visit of an order that was just placed. It never stops the order. */
class KeepVisit implements ObserverInterface
{
    public function __construct(
        private CookieManagerInterface $cookies,
        private ResourceConnection $database,
        private LoggerInterface $logger
    ) {
    }

    public function execute(Observer $observer)
    {
        try {
            $visit = (string) $this->cookies->getCookie('aisle_visit');
            $order = $observer->getEvent()->getData('order');
            if (!$order || !preg_match('/^[\w-]{8,64}$/D', $visit)) {
                return;
            }
            $this->database->getConnection('sales')->insertOnDuplicate(
                $this->database->getTableName('aisle_visit', 'sales'),
                ['order_id' => (int) $order->getId(), 'visit_id' => $visit],
                ['visit_id']
            );
        } catch (\Throwable $error) {
            $this->logger->error('Aisle: ' . $error->getMessage());
        }
    }
}
