export const NewPaymentPage = () => <p>NewPaymentPage</p>
