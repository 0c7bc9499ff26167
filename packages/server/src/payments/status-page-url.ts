/** Returns the URL of this service's page that shows the payer the payment's status (http/pages/return-page.ts). */
export const statusPageUrl = (paymentCode: string, publicUrl: string): string =>
  `${publicUrl}/return/${paymentCode}`
