export const ProviderAccountsPage = () => <p>ProviderAccountsPage</p>
