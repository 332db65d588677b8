/** For tools that are run without a service: those that need one of these are not measured this way. */
export const noServices = {
  drawPoster: () => Promise.reject(new Error("not available")),
  loadPoster: () => Promise.reject(new Error("not available")),
  previewUrl: () => Promise.reject(new Error("not available")),
  imageQuotaBytes: 0,
  isDeployed: () => true,
  mailInvitation: async () => false,
};
