export const DeliveryPage = () => <p>DeliveryPage</p>
