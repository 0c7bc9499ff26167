export const LedgerPage = () => <p>LedgerPage</p>
