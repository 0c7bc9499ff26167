export const ApiKeysPage = () => <p>ApiKeysPage</p>
