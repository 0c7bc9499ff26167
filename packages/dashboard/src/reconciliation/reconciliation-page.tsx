export const ReconciliationPage = () => <p>ReconciliationPage</p>
