/** How a schema's own message for what is missing begins: its code is then `required`. */
export const REQUIRED = 'This field is required.'
