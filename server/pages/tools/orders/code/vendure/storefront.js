const visit = aisle.session()?.id
if (visit) {
  const mutation = `mutation ($visit: String) {
    setOrderCustomFields(input: { customFields: { aisleVisit: $visit } }) { __typename }
  }`
  await shopApi(mutation, { visit })
}
