curl --silent --show-error --fail-with-body --max-time 10 --retry 5 "$AISLE_URL/api/report" \
  -H "Authorization: Bearer $AISLE_KEY" \
  -H 'Content-Type: application/json' \
  -d @- <<EOF
{
  "event": "ai_checkout_completed",
  "domain": "shop.example",
  "source": "web",
  "session_id": "$ORDER_ID",
  "properties": { "visit_id": "$VISIT_ID", "value": 4999, "currency": "USD" }
}
EOF
