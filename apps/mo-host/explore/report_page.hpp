// The page that was asked for: what goes into it, and where it goes.
#pragma once

#include "apps/mo-host/explore/explorer.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

// Of `explore`, or of --explore; "" when there is to be no page.
std::string page_file(const Arguments&, const core::ConvertOptions&);

class ReportPage {
 public:
  // Follows the phases by these options.
  ReportPage(Program&, const Arguments&, core::ConvertOptions&, std::string file);

  Explorer& notes() { return notes_; }
  const std::string& file() const { return file_; }
  void write(const core::ConvertResult&, const IrPaths&);
  // What failed is what is to be seen: the page has all up to there.
  void write_failed(const core::Failure&);

 private:
  void write();

  Explorer notes_;
  std::string file_;
};

}  // namespace mo::app
