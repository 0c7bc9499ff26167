export const ProviderHealthPage = () => <p>ProviderHealthPage</p>
