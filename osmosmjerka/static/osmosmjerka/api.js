// The description of the API, shown by Swagger UI, whose bundle is loaded before this module.

const place = document.getElementById("description");

globalThis.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  // A person who is logged in here would change their own data while only reading.
  supportedSubmitMethods: ["get"],
  validatorUrl: null, // it would ask a host of others
});
