export const TenantPage = () => <p>TenantPage</p>
