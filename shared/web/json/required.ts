/** Messages of schemas that begin with this get the code `required`. */
export const REQUIRED = 'This field is required.'
