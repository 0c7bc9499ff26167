export const TenantsPage = () => <p>TenantsPage</p>
