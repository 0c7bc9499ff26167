export const CallbacksPage = () => <p>CallbacksPage</p>
