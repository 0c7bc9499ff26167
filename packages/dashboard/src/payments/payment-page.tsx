export const PaymentPage = () => <p>PaymentPage</p>
